import { explainHold } from "~/content/campaign-hold";
import { linkTo } from "~/http/list-state";
import { getClocks } from "~/http/schedule-form.server";
import { paths } from "~/paths";
import { emailPreviews, outreach } from "~/services/container.server";
import { getContentHash } from "~/services/outreach/confirm.server";
import { isDiscarded } from "~/services/outreach/campaigns.server";
import type { DraftContent } from "~/services/outreach/drafts.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";

const EMPTY_DRAFT: DraftContent = { audience: "early-access", testAddress: "", title: "", message: "" };

interface Viewer {
  timeZone: string;
  email: string;
}

/**
 * Builds the panel's view from its URL: `?draft=` the draft in the form, `&panel=preview` its recipients,
 * `&step=confirm` the confirmation, `?send=` the progress or result of a campaign. Without any: an empty form
 * for early-access.
 */
export async function getOutreachView(search: URLSearchParams, { timeZone, email: reader }: Viewer) {
  const [draft, progress, recent] = await Promise.all([
    getDraft(search.get("draft")),
    getProgress(search.get("send"), timeZone),
    outreach.listCampaigns({ limit: 5 }),
  ]);
  const isPreviewing = draft !== undefined && search.get("panel") === "preview";
  const isConfirming = draft !== undefined && search.get("step") === "confirm";
  const values = draft?.values ?? EMPTY_DRAFT;
  const [preview, preflight, email] = await Promise.all([
    isPreviewing ? outreach.previewAudience(values.audience) : undefined,
    isConfirming ? outreach.getPreflight(values) : undefined,
    isPreviewing && values.title && values.message ? emailPreviews.previewText(draft.id) : undefined,
  ]);
  return {
    groups: SUBMISSION_KINDS,
    draftId: draft?.id,
    newDraftId: outreach.newDraftId(),
    values,
    /** Hash of the saved draft; empty when there is none. See getContentHash. */
    contentHash: draft?.contentHash ?? "",
    preview,
    confirming: preflight &&
      draft && {
        preflight,
        clocks: getClocks(timeZone),
        lastSave: { ...draft.lastSave, isOwn: draft.lastSave.by === reader },
      },
    email,
    progress,
    recent: recent.map(({ id, state, hasBegun, stats, title, audience }) => ({
      id,
      state,
      hasBegun,
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

async function getDraft(id: string | null) {
  const campaign = id ? await outreach.findCampaign(id) : undefined;
  if (campaign?.state !== "draft" || isDiscarded(campaign)) return undefined;
  const {
    audience,
    test_address: testAddress,
    title,
    message,
    touched_by,
    touched_at,
    created_by,
  } = campaign;
  return {
    id: campaign.id,
    values: { audience, testAddress, title, message },
    contentHash: getContentHash(campaign),
    lastSave: { by: touched_by || created_by, at: touched_at },
  };
}

async function getProgress(id: string | null, timeZone: string) {
  const campaign = id ? await outreach.findCampaign(id) : undefined;
  if (!campaign || campaign.state === "draft") return undefined;
  // A refresh to the same address with an anchor only scrolls, so the address is made unique.
  const again = linkTo(paths.outreach, { send: campaign.id, at: Date.now() });
  const [stats, waiting] = await Promise.all([
    outreach.getStats(campaign.id),
    outreach.getHoldReason(campaign),
  ]);
  const now = Date.now();
  const hold = waiting && explainHold(waiting, { now, timeZone });
  return { id: campaign.id, again, waiting, hold, now, ...stats };
}
