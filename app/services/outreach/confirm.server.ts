import { createHash } from "node:crypto";
import type { Campaign } from "./campaigns.server";

import type { Read, Database, Write } from "~/db/database.server";
import { unknownMergeFields } from "~/services/mail/compose";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import { countAudience, hasRecipients, getLastSubmission } from "./audience.server";
import type { AudienceSize } from "./audience.server";
import { codePoints } from "~/lib/clean-text";
import type { Clock } from "~/services/clock";
import { findCampaign } from "./campaign-stats.server";
import { toPlan, getScheduleProblem } from "./schedule";
import type { Schedule, ScheduleProblem } from "./schedule";
import { isDiscarded, lockCampaign } from "./campaigns.server";

/** What the question before a campaign fixes, and its answer confirms: these words to exactly these people. */
export interface ReviewedCampaign {
  /** Of the content that was shown; see getContentHash. */
  readonly contentHash: string;
  /** Audience position of the last submission that was counted. */
  readonly through: number;
  /** Distinct addresses up to it, those that will be skipped included. */
  readonly counted: number;
}

/** SHA-256 of what a campaign says and to whom, hex; as the audit keeps it of the confirmed one (hardening C30). */
export function getContentHash({
  audience,
  title,
  message,
}: Pick<Campaign, "audience" | "title" | "message">): string {
  return createHash("sha256")
    .update(JSON.stringify([audience, title, message]))
    .digest("hex");
}

/** What an operator should know before a campaign is confirmed. */
export interface Preflight extends AudienceSize {
  readonly question: ReviewedCampaign;
  /** Signups whose address is in the list already. */
  readonly duplicates: number;
  /** Merge fields nothing replaces, such as "nmae". */
  readonly unknownFields: readonly string[];
  /** How long it takes at the configured rate, in milliseconds; undefined without one. */
  readonly durationMs: number | undefined;
  /** These people asked a question; they did not ask for mails. */
  readonly isWithoutConsent: boolean;
  /** Many countries ask for the sender's postal address in such a mail. */
  readonly lacksPostalAddress: boolean;
  /** Where links lead, when that is this machine: nobody else can follow them. */
  readonly localOrigin: string | undefined;
}

export interface PreflightSettings {
  /** 0 means without limit. */
  readonly ratePerSecond: number;
  readonly postalAddress: string;
  /** Where links lead, when emails go to a mail server though ORIGIN is not set. */
  readonly localOrigin?: string | undefined;
}

export async function getPreflight(
  read: Read,
  { audience, title, message }: Pick<Campaign, "audience" | "title" | "message">,
  { ratePerSecond, postalAddress, localOrigin }: PreflightSettings,
): Promise<Preflight> {
  const end = await getAudienceEnd(read, audience);
  const size = await countAudience(read, audience, end.position);
  return {
    ...size,
    question: {
      contentHash: getContentHash({ audience, title, message }),
      through: end.position,
      counted: size.total,
    },
    duplicates: Math.max(0, end.submissions - size.total),
    unknownFields: unknownMergeFields(`${title}\n${message}`),
    durationMs: ratePerSecond > 0 ? (size.mailable / ratePerSecond) * 1000 : undefined,
    isWithoutConsent: audience === "contact-form",
    lacksPostalAddress: postalAddress === "",
    localOrigin,
  };
}

/** In code points. */
const CONTENT_LIMITS = { title: 200, message: 20_000 } as const;

/**
 * "already": it was confirmed before, and this changed nothing. "content-changed": what was shown is not what the draft says
 * now, which must be shown first (hardening C30).
 */
export type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-campaign" | "not-sendable" | "no-recipients" | "content-changed" }
  | { ok: false; error: ScheduleProblem };

/**
 * Draft to preparing, in one write: from here the campaign continues by itself. Its recipients are exactly those the question
 * counted, also when it begins later: who joined the audience since is not included, and nothing is refused because the
 * audience changed (docs/decisions/0061).
 * @param options.question as it was answered.
 * @param options.schedule when it is to begin; left out, at once or when the hold window is over.
 * @param recordAudit called in the same write, with the hash of the confirmed content.
 */
export async function confirmCampaign(
  deps: { database: Database; clock: Clock; holdMs: number },
  options: { campaignId: string; question: ReviewedCampaign; schedule?: Schedule | undefined },
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
    getLastSubmission(database.read, shown.audience, through),
  ]);
  return database.write(async (trx): Promise<Confirmation> => {
    const campaign = await lockCampaign(trx, database.dialect, campaignId);
    if (!campaign || isDiscarded(campaign)) return { ok: false, error: "unknown-campaign" };
    if (campaign.state !== "draft") return { ok: true, already: true };
    const now = clock();
    const problem = schedule && getScheduleProblem(schedule, now);
    if (problem) return { ok: false, error: problem };
    if (!isSendable(campaign)) return { ok: false, error: "not-sendable" };
    const contentHash = getContentHash(campaign);
    // Both: the audience that was looked up above is the one that was shown.
    if (contentHash !== question.contentHash || campaign.audience !== shown.audience) {
      return { ok: false, error: "content-changed" };
    }
    if (!isToAnybody) return { ok: false, error: "no-recipients" };
    await trx
      .updateTable("campaigns")
      .set({
        state: "preparing",
        confirmed_at: now,
        ...toPlan(schedule, holdMs, now),
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
    codePoints(title) <= CONTENT_LIMITS.title &&
    codePoints(message) <= CONTENT_LIMITS.message
  );
}
