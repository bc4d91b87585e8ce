import { createHash } from "node:crypto";
import type { Campaign } from "~/db/tables/outreach";
import type { Read, Database, Write } from "~/db/database.server";
import { listUnknownMergeFields } from "~/services/mail/message-text";
import type { Clock } from "~/services/service-deps";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import { countAudience, hasRecipients, getLastSubmission } from "./audience.server";
import { codePoints } from "~/lib/clean-text";
import { canTransition } from "~/services/queue/life-cycle";
import { findCampaign } from "./campaign-stats.server";
import { toPlan, getScheduleProblem, type Schedule, type ScheduleProblem } from "./schedule";
import { isDiscarded, lockCampaign } from "./campaigns.server";

/** The content and audience an operator reviewed, and confirms exactly as reviewed. */
export interface ReviewedCampaign {
  /** Hash of the reviewed content; see getContentHash. */
  readonly contentHash: string;
  /** Audience position of the last submission that was counted. */
  readonly through: number;
  /** Distinct addresses up to `through`, including those that will be skipped. */
  readonly counted: number;
}

type ReviewedContent = Pick<Campaign, "audience" | "title" | "message">;

/** Returns the hex SHA-256 of a campaign's audience and content, which the audit of a confirmation has (C30). */
export function getContentHash({ audience, title, message }: ReviewedContent): string {
  return createHash("sha256")
    .update(JSON.stringify([audience, title, message]))
    .digest("hex");
}

/** Facts and warnings an operator reviews before confirming a campaign. */
export type Preflight = Awaited<ReturnType<typeof getPreflight>>;

export interface PreflightSettings {
  /** 0 means without limit. */
  readonly ratePerSecond: number;
  readonly postalAddress: string;
  /** The origin of links when a mail server is configured but ORIGIN is not: no recipient can follow them. */
  readonly localOrigin?: string | undefined;
}

export async function getPreflight(
  read: Read,
  { audience, title, message }: ReviewedContent,
  { ratePerSecond, postalAddress, localOrigin }: PreflightSettings,
) {
  const end = await getAudienceEnd(read, audience);
  const size = await countAudience(read, audience, end.position);
  return {
    ...size,
    reviewed: {
      contentHash: getContentHash({ audience, title, message }),
      through: end.position,
      counted: size.total,
    },
    /** Submissions beyond the first of an address. */
    duplicates: Math.max(0, end.submissions - size.total),
    /** Unknown merge fields, such as "nmae". */
    unknownFields: listUnknownMergeFields(`${title}\n${message}`),
    /** Duration at the configured rate, in milliseconds; undefined without a rate limit. */
    durationMs: ratePerSecond > 0 ? (size.mailable / ratePerSecond) * 1000 : undefined,
    /** Whether the audience sent inquiries and never consented to emails. */
    isWithoutConsent: audience === "contact-form",
    /** Whether no postal address is configured, which many countries require in a marketing email. */
    lacksPostalAddress: postalAddress === "",
    localOrigin,
  };
}

/**
 * `already`: it was confirmed before, and nothing changed. "content-changed": the draft differs from the
 * reviewed content and must be reviewed again (hardening C30).
 */
type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-campaign" | "not-sendable" | "no-recipients" | "content-changed" }
  | { ok: false; error: ScheduleProblem };

/**
 * Moves a draft to `preparing` in one write; the worker takes over from there. The recipients are exactly those
 * reviewed, also for a scheduled start: later submissions are excluded, and a changed audience refuses nothing
 * (docs/decisions/0061).
 * @param options.reviewed what the operator was shown.
 * @param options.schedule when it starts; without one, immediately or at the end of the hold window.
 * @param recordAudit called in the same write, with the hash of the confirmed content.
 */
export async function confirmCampaign(
  deps: { database: Database; clock: Clock; holdMs: number },
  options: { campaignId: string; reviewed: ReviewedCampaign; schedule?: Schedule | undefined },
  recordAudit: (trx: Write, contentHash: string) => Promise<void>,
): Promise<Confirmation> {
  const { database, clock, holdMs } = deps;
  const { campaignId, reviewed, schedule } = options;
  const shown = await findCampaign(database.read, campaignId);
  if (!shown) return { ok: false, error: "unknown-campaign" };
  const end = await getAudienceEnd(database.read, shown.audience);
  // A tampered form cannot extend the audience beyond its end.
  const through = Math.min(reviewed.through, end.position);
  const [hasAnyRecipient, audience_through] = await Promise.all([
    hasRecipients(database.read, shown.audience, through),
    getLastSubmission(database.read, shown.audience, through),
  ]);
  return database.write(async (trx): Promise<Confirmation> => {
    const campaign = await lockCampaign(trx, campaignId);
    if (!campaign || isDiscarded(campaign)) return { ok: false, error: "unknown-campaign" };
    if (!canTransition(campaign, "confirm")) return { ok: true, already: true };
    const now = clock();
    const problem = schedule && getScheduleProblem(schedule, now);
    if (problem) return { ok: false, error: problem };
    if (!isSendable(campaign)) return { ok: false, error: "not-sendable" };
    const contentHash = getContentHash(campaign);
    // Checks the audience as well: the lookups above used the one read outside the transaction.
    if (contentHash !== reviewed.contentHash || campaign.audience !== shown.audience) {
      return { ok: false, error: "content-changed" };
    }
    if (!hasAnyRecipient) return { ok: false, error: "no-recipients" };
    await trx
      .updateTable("campaigns")
      .set({
        state: "preparing",
        confirmed_at: now,
        ...toPlan(schedule, holdMs, now),
        audience_through,
        audience_position: through,
        counted: reviewed.counted,
      })
      .where("id", "=", campaignId)
      .execute();
    await recordAudit(trx, contentHash);
    return { ok: true, already: false };
  });
}

/** Checks whether the title fits one header line, and title and message are filled and within their limits. */
function isSendable({ title, message }: Campaign): boolean {
  const isFilled = title.trim() !== "" && message.trim() !== "";
  const isOneLine = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title);
  return isFilled && isOneLine && codePoints(title) <= 200 && codePoints(message) <= 20_000;
}
