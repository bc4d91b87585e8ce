import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { consume } from "./attempts/attempts.server";
import type { Clock } from "./clock";

/** A timer may ring a moment early. */
const EARLY_MS = seconds(5);

/**
 * Sweeps when it is time, on one instance at a time (hardening R22): whoever comes first in an interval does it for all. One
 * that dies over it has left the rest to the next interval.
 * @param turn.everyMs how often each instance asks, more than ten seconds.
 */
export async function sweepInTurn(
  { database, clock }: { database: Database; clock: Clock },
  turn: { readonly name: string; readonly everyMs: number },
  sweep: () => Promise<unknown>,
): Promise<void> {
  const limit = { allowed: 1, windowMs: turn.everyMs - EARLY_MS };
  const attempt = await database.write((trx) => consume(trx, { [`sweep:${turn.name}`]: limit }, clock()));
  if (attempt.ok) await sweep();
}
