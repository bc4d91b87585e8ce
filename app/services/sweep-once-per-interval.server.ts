import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { consume } from "./attempts/attempts.server";
import type { Clock } from "./service-deps";

/** Tolerance for a timer that fires early. */
const TIMER_TOLERANCE_MS = seconds(5);

/**
 * Runs a sweep once per interval over all instances (hardening R22): the first instance to ask does it for all.
 * If that instance dies, the next interval does the rest.
 * @param schedule.everyMs interval at which each instance asks; more than ten seconds.
 */
export async function sweepOncePerInterval(
  { database, clock }: { database: Database; clock: Clock },
  schedule: { readonly name: string; readonly everyMs: number },
  sweep: () => Promise<unknown>,
): Promise<void> {
  const limit = { allowed: 1, windowMs: schedule.everyMs - TIMER_TOLERANCE_MS };
  const attempt = await database.write((trx) => consume(trx, { [`sweep:${schedule.name}`]: limit }, clock()));
  if (attempt.ok) await sweep();
}
