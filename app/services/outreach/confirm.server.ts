import type { Database, Write } from "~/db/database.server";
import { codePoints } from "~/lib/clean-text";
import type { Clock } from "~/services/clock";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import { findCampaign } from "./book.server";
import { hasRecipients, lastOfAudience } from "./audience.server";
import { planFor, problemWith } from "./plan";
import type { Schedule, ScheduleProblem } from "./plan";
import { getContentHash } from "./question.server";
import type { Question } from "./question.server";
import { isDiscarded, lockCampaign } from "./campaigns.server";
import type { Campaign } from "./campaigns.server";

/** In code points. */
const LETTER_LIMITS = { title: 200, message: 20_000 } as const;

/**
 * "already": it was confirmed before, and this changed nothing. "content-changed": what was shown is not what the draft says
 * now, which must be shown first (hardening C30).
 */
export type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-campaign" | "not-sendable" | "no-recipients" | "content-changed" }
  | { ok: false; error: ScheduleProblem };

/**
 * Draft to preparing, in one write: from here the campaign goes on by itself. Its recipients are exactly those the question
 * counted, also when it begins later: who joined the audience since is not included, and nothing is refused because the
 * audience changed (docs/decisions/0061).
 * @param options.question as it was answered.
 * @param options.schedule when it is to begin; left out, at once or when the hold window is over.
 * @param recordAudit called in the same write, with the hash of the confirmed content.
 */
export async function confirmCampaign(
  deps: { database: Database; clock: Clock; holdMs: number },
  options: { campaignId: string; question: Question; schedule?: Schedule | undefined },
  recordAudit: (trx: Write, contentHash: string) => Promise<void>,
): Promise<Confirmation> {
  const { database, clock, holdMs } = deps;
  const { campaignId, question, schedule } = options;
  const shown = await findCampaign(database.read, campaignId);
  if (!shown || isDiscarded(shown)) return { ok: false, error: "unknown-campaign" };
  if (shown.state !== "draft") return { ok: true, already: true };
  const end = await getAudienceEnd(database.read, shown.audience);
  // What came back in the form cannot reach beyond what there is.
  const through = Math.min(question.through, end.position);
  const [isToAnybody, audience_through] = await Promise.all([
    hasRecipients(database.read, shown.audience, through),
    lastOfAudience(database.read, shown.audience, through),
  ]);
  return database.write(async (trx): Promise<Confirmation> => {
    const campaign = await lockCampaign(trx, database.dialect, campaignId);
    if (!campaign || isDiscarded(campaign)) return { ok: false, error: "unknown-campaign" };
    if (campaign.state !== "draft") return { ok: true, already: true };
    const now = clock();
    const problem = schedule && problemWith(schedule, now);
    if (problem) return { ok: false, error: problem };
    if (!isSendable(campaign)) return { ok: false, error: "not-sendable" };
    const contentHash = getContentHash(campaign);
    // Both: the audience that was looked up above is the one that was shown.
    if (contentHash !== question.contentHash || campaign.audience !== shown.audience) {
      return { ok: false, error: "content-changed" };
    }
    if (!isToAnybody) return { ok: false, error: "no-recipients" };
    await trx
      .updateTable("sends")
      .set({
        state: "preparing",
        confirmed_at: now,
        ...planFor(schedule, holdMs, now),
        audience_through,
        audience_position: through,
        counted: question.counted,
      })
      .where("id", "=", campaignId)
      .execute();
    await recordAudit(trx, contentHash);
    return { ok: true, already: false };
  });
}

/** A title that becomes one header line, and a message; both within their limits. */
function isSendable({ title, message }: Pick<Campaign, "title" | "message">): boolean {
  const isFilled = title.trim() !== "" && message.trim() !== "";
  const isOneLine = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title);
  return (
    isFilled &&
    isOneLine &&
    codePoints(title) <= LETTER_LIMITS.title &&
    codePoints(message) <= LETTER_LIMITS.message
  );
}
