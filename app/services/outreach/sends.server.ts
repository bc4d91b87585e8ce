import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { SendsTable } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import type { Dialect } from "./leases.server";
import { isPlanned } from "./plan";
import type { Letter } from "./sending-options";

export type Send = Selectable<SendsTable>;

/** The send, held until the transaction ends, so that two decisions about it are made one after the other. */
export async function lockSend(trx: Write, dialect: Dialect, id: string): Promise<Send | undefined> {
  if (!isUuid(id)) return undefined;
  return trx
    .selectFrom("sends")
    .selectAll()
    .where("id", "=", id)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
}

const OPEN_COLUMNS = [
  "id",
  "state",
  "audience",
  "prepared_through",
  "audience_through",
  "audience_position",
  "resume_at",
  "waits_for",
  "when_missed",
  "latest_answers",
  "trouble",
] as const;
export type OpenSend = Pick<Send, (typeof OPEN_COLUMNS)[number]>;

/** The sends there is something to do for, oldest first; a cancelled one until all its rows are settled. */
export function openSends(read: Read): Promise<OpenSend[]> {
  return read
    .selectFrom("sends")
    .select(OPEN_COLUMNS)
    .where("state", "in", ["preparing", "sending", "cancelled"])
    .where("finished_at", "is", null)
    .orderBy("id")
    .execute();
}

/** Whether an operator took the draft out of the lists; saving or restoring it makes it a draft again. */
export function isDiscarded({ state, finished_at }: Send): boolean {
  return state === "draft" && finished_at !== null;
}

/** Counts the confirmed campaigns that are not finished: those that go on, and those that wait for a person. */
export async function countUnderWay(read: Read): Promise<{ active: number; paused: number }> {
  const rows = await read
    .selectFrom("sends")
    .select("state")
    .where("state", "in", [...UNDER_WAY])
    .execute();
  const paused = rows.filter(({ state }) => state === "paused").length;
  return { active: rows.length - paused, paused };
}

const UNDER_WAY = ["preparing", "sending", "paused"] as const;

/** Whether nothing is due for it before a time that is yet to come. */
export function isAsleep({ state, resume_at }: OpenSend, now: number): boolean {
  return state === "sending" && resume_at > now;
}

/** Whether its mails may go, also while its audience is still being copied: a million would wait for minutes. */
export function mayGoOut(send: OpenSend, now: number): boolean {
  const isMoving = send.state === "preparing" || send.state === "sending";
  return isMoving && !isPlanned(send) && send.resume_at <= now;
}

/** Whether rows of the send are still to be sent or in flight. Uncertain ones wait for an admin and do not count. */
export async function hasOpenRows(trx: Read, sendId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("deliveries")
    .select("id")
    .where("send_id", "=", sendId)
    .where("state", "in", ["pending", "claimed", "retrying"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function finishIfSettled(
  trx: Write,
  dialect: Dialect,
  sendId: string,
  now: number,
): Promise<void> {
  const send = await lockSend(trx, dialect, sendId);
  if (send?.state !== "sending" || (await hasOpenRows(trx, sendId))) return;
  await trx
    .updateTable("sends")
    .set({ state: "finished", finished_at: now, trouble: "" })
    .where("id", "=", sendId)
    .execute();
}

/** Adds what is missing to the letters read before: they do not change once confirmed. */
export async function readLetters(
  read: Read,
  letters: Map<string, Letter>,
  rows: readonly { readonly send_id: string }[],
): Promise<void> {
  const missing = [...new Set(rows.map((row) => row.send_id))].filter((id) => !letters.has(id));
  if (missing.length === 0) return;
  const sends = read.selectFrom("sends").select(["id", "title", "message"]).where("id", "in", missing);
  for (const { id, ...letter } of await sends.execute()) letters.set(id, letter);
}
