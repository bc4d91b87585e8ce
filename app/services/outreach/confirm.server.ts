import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Campaign } from "~/db/tables/outreach";
import type { Read, Write } from "~/db/database.server";
import type { Audiences } from "~/services/audiences/audiences.server";
import { freezePeople, thawPeople } from "~/services/audiences/frozen-people.server";
import { MAX_AUDIENCE } from "~/services/audiences/narrowing";
import { listFieldsWithoutDefault, listUnknownMergeFields, type MergeField } from "~/lib/merge-fields";
import type { ServiceDeps } from "~/services/service-deps";
import { days } from "~/lib/durations";
import { getAudienceEnd } from "~/services/signups/audience-position.server";
import {
  countRecipients,
  dropPreparation,
  formatPlace,
  getLastSubmission,
  hasRecipients,
  isChosen,
  isWave,
  listChosen,
} from "./audience.server";
import { countReserved, reserveInvitations, takeWaveNumber } from "~/services/waves/wave-invitations.server";
import { codePoints } from "~/lib/clean-text";
import { canTransition } from "~/services/queue/life-cycle";
import { findCampaign } from "./campaign-lists.server";
import { toStart, getScheduleProblem, type Schedule, type ScheduleProblem } from "./schedule";
import { isDiscarded, lockCampaign } from "./campaigns.server";

/** The content and audience an operator reviewed, and confirms exactly as reviewed. */
export interface ReviewedCampaign {
  /** Hash of the reviewed content; see getContentHash. */
  readonly contentHash: string;
  /** Audience position of the last submission that was counted. */
  readonly through: number;
  /** Distinct addresses up to `through`, including those that will be skipped; of a narrowed audience the chosen people. */
  readonly counted: number;
}

/** What an operator reviews: the content of a campaign and whom it goes to. */
export interface ReviewedContent extends Pick<Campaign, "audience" | "title" | "message" | "format"> {
  /** Left out: it was copied from no template. */
  readonly template_id?: Campaign["template_id"];
  /** Left out: it goes to the whole group. */
  readonly narrowing?: Campaign["narrowing"] | undefined;
  /** Of a saved campaign. */
  readonly id?: string | undefined;
}

/** Returns the hex SHA-256 of a campaign's audience and content, which the audit of a confirmation has (C30). */
export function getContentHash(content: ReviewedContent): string {
  const { audience, title, message, format, template_id: templateId, narrowing } = content;
  const optional = [...(templateId ? [templateId] : []), ...(narrowing ? [{ narrowing }] : [])];
  return createHash("sha256")
    .update(JSON.stringify([audience, title, message, format, ...optional]))
    .digest("hex");
}

/** Facts and warnings an operator reviews before confirming a campaign. */
export type Preflight = Awaited<ReturnType<typeof getPreflight>>;

export interface PreflightSettings {
  /** 0 means without limit. */
  readonly ratePerSecond: number;
  readonly postalAddress: string;
  /** Domain of the sender's address. */
  readonly senderDomain: string;
  /** The origin of links when a mail server is configured but ORIGIN is not: no recipient can follow them. */
  readonly localOrigin?: string | undefined;
}

/** Counts the recipients of a campaign, and collects what an operator should know before confirming it. */
export async function getPreflight(
  deps: { longRead: Read; audiences: Audiences },
  content: ReviewedContent,
  { ratePerSecond, postalAddress, senderDomain, localOrigin }: PreflightSettings,
  now: number,
) {
  const { audience, title, message } = content;
  const { through, ...size } = await countRecipients(deps, content);
  const isLarge = size.chosen > LARGE_CAMPAIGN;
  const sentLately = isLarge ? await countSentSince(deps.longRead, now - KNOWN_FOR_MS) : undefined;
  return {
    ...size,
    reviewed: {
      contentHash: getContentHash(content),
      through,
      counted: isChosen(content) ? size.chosen : size.total,
    },
    /** Fields that say nothing to some recipients, such as "company". */
    fieldsWithoutDefault: listFieldsWithoutDefault(`${title}\n${message}`),
    /** Duration at the configured rate, in milliseconds; undefined without a rate limit. */
    durationMs: ratePerSecond > 0 ? (size.chosen / ratePerSecond) * 1000 : undefined,
    /** Whether each recipient is invited. */
    isWave: isWave(content),
    /** Whether the audience sent inquiries and never consented to emails. */
    isWithoutConsent: audience === "contact-form",
    /** Whether no postal address is configured, which many countries require in a marketing email. */
    lacksPostalAddress: postalAddress === "",
    localOrigin,
    /** The sender's domain, where so large a campaign is new to mail servers, and the emails it sent lately. */
    newSender:
      sentLately !== undefined && sentLately < KNOWN_SENT
        ? { domain: senderDomain, sent: sentLately }
        : undefined,
  };
}

/** A campaign to more recipients is a risk for a domain that sent fewer than `KNOWN_SENT` emails lately. */
const LARGE_CAMPAIGN = 1000;
const KNOWN_SENT = 100;
const KNOWN_FOR_MS = days(30);

/** Counts the emails sent by campaigns that were confirmed since. */
async function countSentSince(read: Read, since: number): Promise<number> {
  const { sent } = await read
    .selectFrom("delivery_counts")
    .innerJoin("campaigns", "campaigns.id", "delivery_counts.campaign_id")
    .select(sql<number>`coalesce(sum(count), 0)`.as("sent"))
    .where("delivery_counts.state", "=", "sent")
    .where(sql<boolean>`campaigns.state <> 'draft'`)
    .where("confirmed_at", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(sent);
}

/**
 * `already`: it was confirmed before, and nothing changed. "content-changed": the draft differs from the
 * reviewed content and must be reviewed again (hardening C30). "audience-changed": a narrowed audience is `chosen`
 * people now, not those that were counted. "audience-too-large": it is more than MAX_AUDIENCE.
 */
type Confirmation =
  | { ok: true; already: boolean }
  | { ok: false; error: "unknown-campaign" | "not-sendable" | "no-recipients" | "content-changed" }
  | { ok: false; error: "audience-changed" | "audience-too-large" }
  | { ok: false; error: ScheduleProblem };

interface ConfirmDeps extends ServiceDeps {
  readonly audiences: Audiences;
  readonly holdMs: number;
  /** Merge fields that a text may have. */
  readonly fields: readonly MergeField[];
}

export interface ConfirmOptions {
  readonly campaignId: string;
  readonly reviewed: ReviewedCampaign;
  readonly schedule?: Schedule | undefined;
  /** Length of time that its emails are spread over, in milliseconds; left out: sent at once. */
  readonly paceMs?: number | undefined;
  /** Of a wave: milliseconds after which those who were invited and did not join are reminded; left out: never. */
  readonly remindMs?: number | undefined;
}

/** Records the confirmation in the audit, in the same write. */
export type RecordAudit = (trx: Write, contentHash: string) => Promise<void>;

/**
 * Moves a draft to `preparing` in one write; the worker takes over from there. The recipients are exactly those
 * reviewed, also for a scheduled start: of a whole group later submissions are excluded, and a changed audience refuses
 * nothing (docs/decisions/0061); chosen people have to be as many as were counted (docs/decisions/0119).
 * @param options.reviewed what the operator was shown.
 * @param options.schedule when it starts; without one, immediately or at the end of the hold window.
 * @param options.paceMs length of time that its emails are spread over; without one, they are sent at once.
 * @param recordAudit called in the same write, with the hash of the confirmed content.
 */
export async function confirmCampaign(
  deps: ConfirmDeps,
  options: ConfirmOptions,
  recordAudit: RecordAudit,
): Promise<Confirmation> {
  const known = await findCampaign(deps.database.read, options.campaignId);
  if (!known) return { ok: false, error: "unknown-campaign" };
  // What is left of an earlier confirmation that was edited since: the worker drops it too, but may not have come to it.
  for (let hasMore = true; hasMore;) {
    hasMore = await deps.database.write((trx) => dropPreparation(trx, known.id));
  }
  return isChosen(known)
    ? confirmChosen(deps, known, options, recordAudit)
    : confirmGroup(deps, known, options, recordAudit);
}

async function confirmGroup(
  deps: ConfirmDeps,
  known: Campaign,
  options: ConfirmOptions,
  recordAudit: RecordAudit,
): Promise<Confirmation> {
  const { read } = deps.database;
  const end = await getAudienceEnd(read, known.audience);
  // A tampered form cannot extend the audience beyond its end.
  const through = Math.min(options.reviewed.through, end.position);
  const [hasAnyRecipient, audience_through] = await Promise.all([
    hasRecipients(read, known.audience, through),
    getLastSubmission(read, known.audience, through),
  ]);
  return prepare(deps, options, recordAudit, async (campaign) => {
    // The lookups above used what was read outside the transaction.
    if (campaign.audience !== known.audience || isChosen(campaign)) return "content-changed";
    if (!hasAnyRecipient) return "no-recipients";
    return { audience_through, audience_position: through, counted: options.reviewed.counted };
  });
}

/**
 * Freezes a narrowed audience, or that of a wave: reads once whom it chooses now, and writes these in pieces before the
 * campaign moves to `preparing`. They are as many as were counted, or the question is asked again with their number. For
 * a wave they are reserved in the same pieces.
 */
async function confirmChosen(
  deps: ConfirmDeps,
  known: Campaign,
  options: ConfirmOptions,
  recordAudit: RecordAudit,
): Promise<Confirmation> {
  const { database, audiences } = deps;
  const { campaignId, reviewed } = options;
  if (!canTransition(known, "confirm")) return { ok: true, already: true };
  if (getContentHash(known) !== reviewed.contentHash) return { ok: false, error: "content-changed" };
  const ids = await listChosen(audiences, known, reviewed.through);
  if (ids.length === 0) return { ok: false, error: "no-recipients" };
  if (ids.length > MAX_AUDIENCE) return { ok: false, error: "audience-too-large" };
  if (ids.length !== reviewed.counted) return { ok: false, error: "audience-changed" };
  const freezing = { campaignId, attempt: deps.newId() };
  const isFrozen = await freezePeople(database, freezing, ids, isWave(known) ? reserve : undefined);
  const preparing = prepare(deps, options, recordAudit, async (campaign, trx) => {
    // Another confirmation of the same draft goes on instead, or the draft changed since its people were read.
    if (!isFrozen || campaign.freezing !== freezing.attempt) return "audience-changed";
    // Some were erased since, joined by themselves, or were released because this took too long.
    if (isWave(campaign) && (await countReserved(trx, campaignId)) !== ids.length) return "audience-changed";
    const nobody = formatPlace(0);
    return {
      // Not empty, so that the worker drops the chosen people when it is edited.
      prepared_through: nobody,
      audience_through: formatPlace(ids.length),
      audience_position: 0,
      counted: ids.length,
      freezing: "",
      wave: isWave(campaign) ? await takeWaveNumber(trx) : null,
    };
  });
  // Also when it throws, as when the plan of a repeated wave was stopped meanwhile.
  let isRefused = true;
  try {
    const outcome = await preparing;
    isRefused = !outcome.ok;
    return outcome;
  } finally {
    if (isRefused) await thawPeople(database, freezing);
  }

  async function reserve(trx: Write, personIds: readonly string[]): Promise<boolean> {
    const { newId, clock } = deps;
    const reserved = await reserveInvitations(trx, { campaignId, personIds }, { newId, now: clock() });
    return reserved.length === personIds.length;
  }
}

/**
 * Moves a draft as it was reviewed to `preparing`.
 * @param toAudience returns its audience, or why it cannot be sent to.
 */
async function prepare(
  { database, clock, holdMs, fields }: ConfirmDeps,
  { campaignId, reviewed, schedule, paceMs = 0, remindMs = 0 }: ConfirmOptions,
  recordAudit: RecordAudit,
  toAudience: (
    campaign: Campaign,
    trx: Write,
  ) => Promise<Partial<Campaign> | "content-changed" | "no-recipients" | "audience-changed">,
): Promise<Confirmation> {
  return database.write(async (trx): Promise<Confirmation> => {
    const campaign = await lockCampaign(trx, campaignId);
    if (!campaign || isDiscarded(campaign)) return { ok: false, error: "unknown-campaign" };
    if (!canTransition(campaign, "confirm")) return { ok: true, already: true };
    const now = clock();
    const problem = schedule && getScheduleProblem(schedule, now);
    if (problem) return { ok: false, error: problem };
    const contentHash = getContentHash(campaign);
    if (contentHash !== reviewed.contentHash) return { ok: false, error: "content-changed" };
    if (!isSendable(campaign, fields)) return { ok: false, error: "not-sendable" };
    // Somebody else confirmed and edited it since its preparation was dropped.
    if (campaign.prepared_through !== "") return { ok: false, error: "content-changed" };
    const audience = await toAudience(campaign, trx);
    if (typeof audience === "string") return { ok: false, error: audience };
    await trx
      .updateTable("campaigns")
      .set({
        state: "preparing",
        confirmed_at: now,
        ...toStart(schedule, holdMs, now),
        ...audience,
        pace_ms: paceMs,
        next_at: null,
        remind_ms: isWave(campaign) ? remindMs : 0,
        // A plan of an earlier confirmation has ended.
        plan_id: null,
      })
      .where("id", "=", campaignId)
      .execute();
    await recordAudit(trx, contentHash);
    return { ok: true, already: false };
  });
}

/**
 * Checks whether the title fits one header line, title and message are filled and within their limits, and each field is
 * known.
 */
function isSendable({ title, message }: Campaign, fields: readonly MergeField[]): boolean {
  const isFilled = title.trim() !== "" && message.trim() !== "";
  const isOneLine = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title);
  const isKnown = listUnknownMergeFields(`${title}\n${message}`, fields).length === 0;
  return isFilled && isOneLine && isKnown && codePoints(title) <= 200 && codePoints(message) <= 20_000;
}
