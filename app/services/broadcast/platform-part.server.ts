import type { Read, Write } from "~/db/database.server";
import type { BroadcastAudience, PlatformBroadcastsTable } from "~/db/tables/broadcast";
import { hours, minutes, seconds } from "~/lib/durations";
import type { ApplicationOutcome } from "./application-broadcaster";

/** Longer than any call takes: what was asked before that and has no ending was lost with whoever asked. */
const ASKED_MS = minutes(1);
/** Waits after the first to the sixth time it could not be asked; the seventh is the last. */
const ASK_AGAIN_AFTER = [seconds(30), minutes(1), minutes(5), minutes(15), hours(1), hours(4)];

/** What became of the platform's part of a broadcast, for pages. */
export interface PlatformPart {
  readonly state: PlatformBroadcastsTable["state"];
  readonly successCount: number;
  readonly failureCount: number;
  readonly detail: string;
}

/** Whether the application's backend has a part in it: its devices are never in our ledger then. */
export function isForPlatform(isUsed: boolean, audience: BroadcastAudience): boolean {
  return isUsed && audience !== "landing";
}

/** Written with the confirmation. */
export async function addPart(trx: Write, broadcastId: string, now: number): Promise<void> {
  await trx
    .insertInto("platform_broadcasts")
    .values({
      broadcast_id: broadcastId,
      state: "waiting",
      success_count: 0,
      failure_count: 0,
      detail: "",
      attempts: 0,
      not_before: 0,
      asked_until: 0,
      updated_at: now,
    })
    .execute();
}

/** Undefined where the platform has none. */
export async function partOf(read: Read, broadcastId: string): Promise<PlatformPart | undefined> {
  const row = await read
    .selectFrom("platform_broadcasts")
    .select(["state", "detail", "success_count as successCount", "failure_count as failureCount"])
    .where("broadcast_id", "=", broadcastId)
    .executeTakeFirst();
  return row;
}

/** Whether the platform has still to be asked, or to answer. */
export async function hasOpenPart(read: Read, broadcastId: string): Promise<boolean> {
  const row = await read
    .selectFrom("platform_broadcasts")
    .select("state")
    .where("broadcast_id", "=", broadcastId)
    .where("state", "in", ["waiting", "asked"])
    .executeTakeFirst();
  return row !== undefined;
}

/** The next broadcast whose part is due, if any. */
export async function findDuePart(read: Read, now: number): Promise<string | undefined> {
  const row = await read
    .selectFrom("platform_broadcasts as part")
    .innerJoin("broadcasts", "broadcasts.id", "part.broadcast_id")
    .select("broadcast_id")
    .where("part.state", "=", "waiting")
    .where("part.not_before", "<=", now)
    .where("broadcasts.state", "in", ["preparing", "sending"])
    .orderBy("broadcast_id")
    .limit(1)
    .executeTakeFirst();
  return row?.broadcast_id;
}

/** From here on it may have been sent: it is on disk before anybody is asked. @returns whether it is ours to ask. */
export async function claimPart(trx: Write, broadcastId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("platform_broadcasts")
    .set(({ eb }) => ({
      state: "asked" as const,
      asked_until: now + ASKED_MS,
      updated_at: now,
      attempts: eb("attempts", "+", 1),
    }))
    .where("broadcast_id", "=", broadcastId)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Writes how asking ended; what was given up as lost meanwhile stays so, for a person may have decided about it. */
export async function settlePart(
  trx: Write,
  broadcastId: string,
  outcome: ApplicationOutcome,
  now: number,
): Promise<void> {
  const row = await trx
    .selectFrom("platform_broadcasts")
    .select("attempts")
    .where("broadcast_id", "=", broadcastId)
    .executeTakeFirst();
  await trx
    .updateTable("platform_broadcasts")
    .set({ ...endingOf(outcome, row?.attempts ?? 0, now), updated_at: now })
    .where("broadcast_id", "=", broadcastId)
    .where("state", "=", "asked")
    .execute();
}

function endingOf(
  outcome: ApplicationOutcome,
  attempts: number,
  now: number,
): Partial<PlatformBroadcastsTable> {
  switch (outcome.kind) {
    case "sent": {
      const { successCount: success_count, failureCount: failure_count } = outcome;
      return { state: "sent", success_count, failure_count, detail: "" };
    }
    case "refused":
      return { state: "failed", detail: outcome.detail };
    case "uncertain":
      return { state: "uncertain", detail: outcome.detail };
    case "later": {
      const wait = ASK_AGAIN_AFTER[attempts - 1];
      if (wait === undefined) return { state: "failed", detail: outcome.detail };
      const not_before = now + Math.max(wait, Math.min(outcome.retryAfterMs ?? 0, hours(4)));
      return { state: "waiting", detail: outcome.detail, not_before };
    }
  }
}

/** The broadcasts whose part was asked for by whoever is gone since. */
export async function findLostParts(read: Read, now: number): Promise<string[]> {
  const rows = await read
    .selectFrom("platform_broadcasts")
    .select("broadcast_id")
    .where("state", "=", "asked")
    .where("asked_until", "<=", now)
    .execute();
  return rows.map(({ broadcast_id }) => broadcast_id);
}

/** Nobody will hear what became of it. */
export async function giveUpPart(trx: Write, broadcastId: string, now: number): Promise<void> {
  await trx
    .updateTable("platform_broadcasts")
    .set({ state: "uncertain", detail: "interrupted by a crash", updated_at: now })
    .where("broadcast_id", "=", broadcastId)
    .where("state", "=", "asked")
    .where("asked_until", "<=", now)
    .execute();
}

/** Of a cancelled broadcast. */
export async function skipPart(trx: Write, broadcastId: string, now: number): Promise<void> {
  await trx
    .updateTable("platform_broadcasts")
    .set({ state: "skipped", updated_at: now })
    .where("broadcast_id", "=", broadcastId)
    .where("state", "=", "waiting")
    .execute();
}

/** Somebody decided that it is sent, perhaps a second time. @returns whether there was something to decide. */
export async function reopenPart(trx: Write, broadcastId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("platform_broadcasts")
    .set({ state: "waiting", detail: "", attempts: 0, not_before: 0, updated_at: now })
    .where("broadcast_id", "=", broadcastId)
    .where("state", "in", ["failed", "uncertain"])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
