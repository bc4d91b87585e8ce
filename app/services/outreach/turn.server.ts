import type { Read, Write } from "~/db/database.server";
import type { SuppressionsTable } from "~/db/tables";
import type { Claimed, Holder } from "./ledger.server";
import { claim } from "./ledger.server";
import type { Letter } from "./sending-options";
import { finishIfSettled, openSends } from "./sends.server";
import type { OpenSend } from "./sends.server";

export interface Turn {
  /** Every send there is something to do for. */
  readonly sends: readonly OpenSend[];
  /** The claimed rows, at most `limit`. */
  readonly rows: readonly Claimed[];
  /** Why an address gets no mail, by email_key. */
  readonly suppressions: ReadonlyMap<string, SuppressionsTable["reason"]>;
}

/**
 * Claims rows for one round, beginning with the send after the one that was served last, and finishes sends of which
 * nothing is open any more.
 */
export async function takeTurn(
  trx: Write,
  by: Holder,
  { limit, servedLast, now }: { limit: number; servedLast: string; now: number },
): Promise<Turn> {
  const sends = await openSends(trx);
  const due = sends.filter((send) => send.state === "sending" && send.resume_at <= now);
  const inTurn = [...due.filter(({ id }) => id > servedLast), ...due.filter(({ id }) => id <= servedLast)];
  const rows: Claimed[] = [];
  for (const send of inTurn) {
    if (rows.length >= limit) break;
    const claimed = await claim(trx, by, send.id, limit - rows.length, now);
    if (claimed.length === 0) await finishIfSettled(trx, by.dialect, send.id, now);
    rows.push(...claimed);
  }
  return { sends, rows, suppressions: await suppressionsAmong(trx, rows) };
}

async function suppressionsAmong(read: Read, rows: readonly Claimed[]): Promise<Turn["suppressions"]> {
  if (rows.length === 0) return new Map();
  const suppressed = await read
    .selectFrom("suppressions")
    .select(["email_key", "reason"])
    .where(
      "email_key",
      "in",
      rows.map((row) => row.email_key),
    )
    .execute();
  return new Map(suppressed.map(({ email_key, reason }) => [email_key, reason]));
}

/** Adds what is missing to the letters read before: they do not change once confirmed. */
export async function readLetters(
  read: Read,
  letters: Map<string, Letter>,
  rows: readonly Claimed[],
): Promise<void> {
  const missing = [...new Set(rows.map((row) => row.send_id))].filter((id) => !letters.has(id));
  if (missing.length === 0) return;
  const sends = read.selectFrom("sends").select(["id", "title", "message"]).where("id", "in", missing);
  for (const { id, ...letter } of await sends.execute()) letters.set(id, letter);
}
