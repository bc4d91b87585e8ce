import { describeAudience } from "~/content/audiences";
import { explainHold } from "~/content/campaign-hold";
import { explainPace } from "~/content/pace";
import { linkTo } from "~/http/list-state";
import { readNarrowing, toNarrowingValues } from "~/http/lists/narrowing";
import { getClocks, type ScheduleAnswer } from "~/http/schedule-form.server";
import { zonedMinute } from "~/lib/format-time";
import { toZonedMinute } from "~/lib/zoned-time";
import { paths } from "~/paths";
import { campaignFields, emailPreviews, outreach, peopleList, templates } from "~/services/container.server";
import { parseNarrowing } from "~/services/audiences/narrowing";
import { getRepeatedLimit, isChosen, type CampaignAudience } from "~/services/outreach/audience.server";
import { getContentHash } from "~/services/outreach/confirm.server";
import { isDiscarded } from "~/services/outreach/campaigns.server";
import { getKeptSchedule, isFarAway, type Schedule } from "~/services/outreach/schedule";
import { toDraftContent, type DraftContent } from "~/services/outreach/drafts.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";

/** Latest campaigns to choose from. */
const CAMPAIGNS = 50;

export const EMPTY_DRAFT: DraftContent = {
  audience: "early-access",
  narrowing: "",
  testAddress: "",
  title: "",
  message: "",
  format: "markdown",
};

interface Viewer {
  timeZone: string;
  email: string;
}

/**
 * Builds the panel's view from its URL: `?draft=` the draft in the form, `&panel=preview` its recipients,
 * `&step=confirm` the confirmation, `&step=template` the name of a template to save it as, `&start=` the template that a
 * question asks to start from, `&former=` the draft that was left for it, `&filled=` another value for each copy of a
 * template into it; `?send=` the progress or result of a campaign; `?discarded=` the draft that was just discarded. Without
 * any: an empty form for `?audience=`, or early-access, narrowed by the fields of http/lists/narrowing.ts.
 */
export async function getOutreachView(search: URLSearchParams, { timeZone, email: reader }: Viewer) {
  const [draft, progress, recent, choices] = await Promise.all([
    getDraft(search.get("draft")),
    getProgress(search.get("send"), timeZone),
    outreach.listCampaigns({ limit: 5 }),
    templates.list(),
  ]);
  const isPreviewing = draft !== undefined && search.get("panel") === "preview";
  const isConfirming = draft !== undefined && search.get("step") === "confirm";
  const linked = readNarrowing(search, timeZone);
  const values = draft?.values ?? {
    ...EMPTY_DRAFT,
    audience: SUBMISSION_KINDS.find((kind) => kind === search.get("audience")) ?? EMPTY_DRAFT.audience,
    narrowing: linked.ok ? linked.narrowing : "",
  };
  const narrowing = parseNarrowing(values.narrowing ?? "");
  const narrowingValues = draft ? toNarrowingValues(narrowing) : linked.values;
  const [audience, campaigns, hasWaves, preflight, email] = await Promise.all([
    // The question before sending has a count of its own.
    getAudienceSummary({ ...values, id: draft?.id }, isPreviewing || (isChosen(values) && !isConfirming)),
    outreach.listCampaignTitles(CAMPAIGNS, narrowingValues.campaign),
    peopleList.hasInvitations(),
    isConfirming
      ? outreach.getPreflight({ ...values, id: draft.id, template_id: draft.templateId })
      : undefined,
    isPreviewing && values.title && values.message ? emailPreviews.previewText(draft.id) : undefined,
  ]);
  const starting = draft && choices.find(({ id }) => id === search.get("start"));
  return {
    groups: SUBMISSION_KINDS,
    /** Merge fields that the text may have. */
    fields: campaignFields,
    templates: choices.map(({ id, name, defaultOf }) => ({ id, name, defaultOf })),
    /** The template that the draft started from. */
    templateId: draft?.templateId ?? undefined,
    isNamingTemplate: draft !== undefined && search.get("step") === "template",
    starting: starting && { id: starting.id, name: starting.name },
    former: search.get("former") ?? undefined,
    /** Changes when a template was copied into the draft. */
    filled: search.get("filled") ?? undefined,
    draftId: draft?.id,
    newDraftId: outreach.newDraftId(),
    values,
    narrow: {
      values: narrowingValues,
      errors: draft || linked.ok ? {} : linked.errors,
    },
    audience,
    /** To choose those from who got one, or did not. */
    campaigns,
    hasWaves,
    /** Hash of the saved draft; empty when there is none. See getContentHash. */
    contentHash: draft?.contentHash ?? "",
    /** The time of a draft that was scheduled, formatted. */
    planned: draft?.keptSchedule && zonedMinute(draft.keptSchedule.beginAt, timeZone),
    preview: isPreviewing ? audience.preview : undefined,
    confirming: preflight &&
      draft && {
        preflight,
        clocks: getClocks(timeZone),
        keptSchedule: draft.keptSchedule && toAnswer(draft.keptSchedule, timeZone),
        keptPace: draft.keptPace,
        keptReminder: draft.keptReminder,
        /** How many people each run of it would invite, if it can be repeated. */
        repeatedLimit: getRepeatedLimit(values),
        lastSave: { ...draft.lastSave, isOwn: draft.lastSave.by === reader },
      },
    email,
    progress,
    recent: recent.map(({ id, state, isScheduled, stats, title, audience }) => ({
      id,
      state,
      isScheduled,
      stats,
      title,
      audience,
    })),
    holdMs: outreach.holdMs,
    /** The draft that was just discarded, for its undo button. */
    discarded: search.get("discarded") ?? undefined,
    now: Date.now(),
  };
}

export type OutreachView = Awaited<ReturnType<typeof getOutreachView>>;

export type AudienceSummary = Awaited<ReturnType<typeof getAudienceSummary>>;

/** Says in words who gets an email. @param isCounted whether to count them, too. */
export async function getAudienceSummary(of: CampaignAudience, isCounted: boolean) {
  const narrowing = parseNarrowing(of.narrowing ?? "");
  const { campaign } = narrowing;
  const [titles, preview] = await Promise.all([
    campaign ? outreach.listCampaignTitles(0, campaign.id) : [],
    isCounted ? outreach.previewAudience(of) : undefined,
  ]);
  return {
    words: describeAudience(of.audience, narrowing, toTitles(titles)),
    isChosen: isChosen(of),
    preview,
  };
}

const toTitles = (campaigns: readonly { id: string; title: string }[]) =>
  new Map(campaigns.map(({ id, title }) => [id, title]));

async function getDraft(id: string | null) {
  const campaign = id ? await outreach.findCampaign(id) : undefined;
  if (campaign?.state !== "draft" || isDiscarded(campaign)) return undefined;
  const { template_id: templateId, touched_by, touched_at, created_by } = campaign;
  return {
    id: campaign.id,
    values: toDraftContent(campaign),
    templateId,
    contentHash: getContentHash(campaign),
    lastSave: { by: touched_by || created_by, at: touched_at },
    keptSchedule: getKeptSchedule(campaign),
    keptPace: campaign.pace_ms,
    keptReminder: campaign.remind_ms,
  };
}

/** Fills the schedule fields with a draft's kept start, in the operator's zone. */
function toAnswer({ beginAt, whenMissed }: Schedule, readerZone: string): ScheduleAnswer {
  const { text, timeZone } = toZonedMinute(beginAt, readerZone);
  return { values: { beginAt: text, timeZone, whenMissed }, errors: {} };
}

async function getProgress(id: string | null, timeZone: string) {
  const campaign = id ? await outreach.findCampaign(id) : undefined;
  if (!campaign || campaign.state === "draft") return undefined;
  // A refresh to the same address with an anchor only scrolls, so the address is made unique.
  const refreshTo = linkTo(paths.outreachPanel, { send: campaign.id, at: Date.now() });
  const [stats, waiting] = await Promise.all([
    outreach.getStats(campaign.id),
    outreach.getHoldReason(campaign),
  ]);
  const now = Date.now();
  const hold = waiting && explainHold(waiting, { now, timeZone });
  const pace = outreach.getPace(campaign, stats);
  return {
    id: campaign.id,
    refreshTo,
    waiting,
    hold,
    pace: pace && explainPace(pace, { now, timeZone }),
    /** Whether it changes at most each minute. */
    isSlow: isFarAway(waiting, now) || pace?.isSlow === true,
    now,
    ...stats,
  };
}
