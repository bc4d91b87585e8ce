import { describeAudience } from "~/content/audiences";
import { explainHold } from "~/content/campaign-hold";
import { explainPace } from "~/content/pace";
import { waveReminderMessages } from "~/content/wave-reminders";
import { explainPlan } from "~/content/wave-plans";
import { report } from "~/http/action-result.server";
import { readFrom, toRow } from "~/http/list-detail";
import { readPage, readPlace } from "~/http/list-state";
import { deliveriesList } from "~/http/lists/deliveries-list";
import { seeOther } from "~/http/redirects.server";
import { getClocks } from "~/http/schedule-form.server";
import { zonedMinute } from "~/lib/format-time";
import { toZonedMinute } from "~/lib/zoned-time";
import { paths } from "~/paths";
import {
  emailPreviews,
  outreach,
  people,
  suppressions,
  templates,
  wavePlans,
} from "~/services/container.server";
import { parseNarrowing } from "~/services/audiences/narrowing";
import { getRepeatedLimit } from "~/services/outreach/audience.server";
import { getPlannedTime, isStartAhead, isFarAway } from "~/services/outreach/schedule";
import { isMoving } from "~/services/queue/life-cycle";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { sumWaveFunnels, type WaveSourceFunnel } from "~/services/waves/wave-funnel.server";

const ROWS = 50;
/** Sources of a wave that are shown. */
const MAX_SOURCES = 10;
const STEPS = ["edit", "cancel", "begin", "reschedule", "release"] as const;
type Step = (typeof STEPS)[number];

/**
 * Builds the page from its URL: `?state=`, `&reason=` and `&q=` filter the recipients, `&before=` and `&after=`
 * are pages, `&step=` asks a question while the campaign allows it. @throws a redirect when there is no such campaign, or it is a draft.
 */
export async function getCampaignView(
  id: string,
  request: Request,
  { timeZone }: Pick<SignedIn, "timeZone">,
) {
  const campaign = await outreach.findCampaign(id);
  if (!campaign) throw seeOther(paths.dashboard);
  const { searchParams } = new URL(request.url);
  if (campaign.state === "draft") {
    // Somebody edits it; a button that was pressed meanwhile did nothing.
    const notice = searchParams.get("notice") === "campaign-unchanged" ? "campaign-is-draft" : undefined;
    throw report(notice, paths.outreachPanel, { draft: campaign.id });
  }
  const { title, audience, created_by: createdBy } = campaign;
  const narrowing = campaign.narrowing === "" ? undefined : parseNarrowing(campaign.narrowing);
  const from = readFrom(request);
  const { values, filter } = deliveriesList.readLoosely(searchParams);
  const { wave } = campaign;
  const [stats, waiting, email, template, deliveries, failures, titles, invited] = await Promise.all([
    outreach.getStats(campaign.id),
    outreach.getHoldReason(campaign),
    emailPreviews.previewText(campaign.id),
    campaign.template_id === null ? undefined : templates.find(campaign.template_id),
    readPage(
      readPlace(searchParams),
      ROWS,
      (page) => outreach.listDeliveries(campaign.id, { ...filter, ...page }),
      "asc",
    ),
    outreach.getFailureReasons(campaign.id),
    narrowing?.campaign ? outreach.listCampaignTitles(0, narrowing.campaign.id) : [],
    wave === null ? undefined : outreach.countWave(campaign.id),
  ]);
  const now = Date.now();
  const asked = STEPS.find((known) => known === searchParams.get("step"));
  const planned = getPlannedTime(waiting);
  const start = planned === undefined ? undefined : toZonedMinute(planned, timeZone);
  const pace = outreach.getPace(campaign, stats);
  const plan = await wavePlans.findPlan(campaign);
  const { rows, isFirst, previous, next } = deliveries;
  /** Whether it changes at most each minute. */
  const isSlow = isFarAway(waiting, now) || pace?.isSlow === true;
  // There may be thousands: not while a page is refreshed every second.
  const isUnderWay = isMoving(stats);
  const [suppressed, funnel, persons] = await Promise.all([
    isUnderWay && asked !== "release" ? 0 : suppressions.countOfCampaign(campaign.id),
    wave === null || (isUnderWay && !isSlow) ? undefined : outreach.listWaveFunnel(campaign.id),
    people.findIds(rows.map(({ email_key }) => email_key)),
  ]);
  const allows: Record<Step, boolean> = {
    edit: isStartAhead(waiting),
    cancel: isMoving(stats) || stats.state === "paused",
    begin: waiting?.for === "hold" || planned !== undefined,
    reschedule: planned !== undefined,
    release: suppressed > 0,
  };
  return {
    page: toRow(paths.outreachCampaign(campaign.id), from),
    from,
    campaign: {
      id: campaign.id,
      title,
      audience,
      /** The narrowed audience in words; undefined for the whole group. */
      narrowed:
        narrowing &&
        describeAudience(audience, narrowing, new Map(titles.map((each) => [each.id, each.title]))),
      createdBy,
    },
    /** The template its text came from; without a name when that was deleted since. */
    template: campaign.template_id === null ? undefined : { id: campaign.template_id, name: template?.name },
    stats,
    /** Whether everybody of the audience has a delivery. */
    areRecipientsListed: campaign.prepared_through === campaign.audience_through,
    /** Of a campaign that invites: its number, its invitations by their state, and how far their people came. */
    wave:
      wave === null || !invited
        ? undefined
        : { number: wave, ...invited, funnel: funnel && toFunnel(funnel) },
    email,
    waiting,
    hold: waiting && explainHold(waiting, { now, timeZone }),
    pace: pace && explainPace(pace, { now, timeZone }),
    /** Of a wave whose people are reminded. */
    reminder: campaign.remind_ms > 0 ? waveReminderMessages.explain(campaign.remind_ms) : undefined,
    isSlow,
    /** Of a wave that repeats, or did. */
    plan: plan && {
      sentence: explainPlan(plan, getRepeatedLimit(campaign) ?? 0, timeZone),
      isOver: plan.next_at === null,
    },
    /** The planned time, formatted. */
    planned: planned === undefined ? undefined : zonedMinute(planned, timeZone),
    rescheduling:
      start === undefined || asked !== "reschedule"
        ? undefined
        : {
            clocks: getClocks(timeZone),
            values: {
              beginAt: start.text,
              timeZone: start.timeZone,
              whenMissed: campaign.when_missed,
            },
          },
    now,
    values,
    filter,
    failures,
    /** Addresses on the suppression list because of this campaign; 0 while it is running, unless their release is asked for. */
    suppressed,
    /** `person`: its id; undefined where nobody has the address now. */
    rows: rows.map(({ email_key, ...row }) => ({ ...row, person: persons.get(email_key) })),
    pages: { isFirst, previous, next },
    retried: readRetried(searchParams),
    allows,
    /** The question that is shown: the URL's, unless the campaign has gone on and does not allow it now. */
    step: asked && allows[asked] ? asked : undefined,
  };
}

/** Returns what the page shows of a wave's funnel; its first sources have the most people. */
function toFunnel(all: readonly WaveSourceFunnel[]) {
  return {
    total: sumWaveFunnels(all),
    rows: all.slice(0, MAX_SOURCES).map((each) => ({ id: each.source, ...each })),
    more: Math.max(0, all.length - MAX_SOURCES),
  };
}

export type CampaignView = Awaited<ReturnType<typeof getCampaignView>>;

/** Reads the result of Retry failed; undefined when the URL has none. */
function readRetried(search: URLSearchParams): { changed: number; suppressed: number } | undefined {
  const [changed, suppressed] = [search.get("retried"), search.get("suppressed")];
  if (!isCount(changed) || !isCount(suppressed)) return undefined;
  return { changed: Number(changed), suppressed: Number(suppressed) };
}

function isCount(value: string | null): boolean {
  return /^\d{1,9}$/.test(value ?? "");
}
