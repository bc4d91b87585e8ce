import { sql } from "kysely";
import type { Write } from "./database.server";
import { isPostgres } from "./run-statements";

/** The numbers of `pg_advisory_xact_lock` that are ours. */
const LOCKS = { "wave-numbers": 29, incidents: 31 } as const;

/** Lets nobody else take this lock until the transaction ends. On SQLite the write lock does. */
export async function takeAdvisoryLock(trx: Write, name: keyof typeof LOCKS): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS[name])})`.execute(trx);
}
