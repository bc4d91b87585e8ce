import { sql, type Kysely } from "kysely";
import { withUnmigratedDatabase, findWriteProblem } from "~/db/unmigrated-database.server";
import { assertKnownMigrations, listAppliedMigrations, knownMigrations } from "~/db/migrate.server";
import { findEncodingProblem, getServerEncoding } from "~/db/postgres.server";
import { getSharedTime } from "~/db/shared-time.server";
import type { Tables } from "~/db/tables";
import { getErrorMessage } from "~/lib/error-message";
import { hasPartsIndex } from "~/services/search/document-search.server";
import { listRunningNames, listSharedNames } from "~/services/instances/boot-record.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { Clock } from "~/services/service-deps";

interface Deps {
  readonly place: { readonly url: string | undefined; readonly dataDir: string };
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  /** SUPERADMIN_PASSWORD. */
  readonly environmentPassword: string | undefined;
}

export type DatabaseFacts = Awaited<ReturnType<typeof collectDatabaseFacts>>;

/**
 * Collects facts about the database, of this version or an earlier one; a newer one counts as unreachable. Never throws.
 */
export async function collectDatabaseFacts(deps: Deps) {
  try {
    return (await withUnmigratedDatabase(deps.place, (db) => collectFacts(db, deps))) ?? NO_DATABASE;
  } catch (error) {
    return { kind: "unreachable", problem: getErrorMessage(error) } as const;
  }
}

/** The migration that creates the index of parts where it may. */
const PARTS_MIGRATION = "0020-people-search";
/** The hasher takes turns by address; nobody else uses this one. */
const ANY_ADDRESS = "";

const NO_DATABASE = { kind: "none" } as const;

async function collectFacts(db: Kysely<Tables>, deps: Deps) {
  const encodingProblem = deps.place.url ? findEncodingProblem(await getServerEncoding(db)) : undefined;
  if (encodingProblem) return { kind: "unreachable", problem: encodingProblem } as const;
  // Not the first query: that one also connects, which is no part of the round trip.
  const clockAheadMs = deps.place.url ? await measureClockAhead(db, deps.clock) : undefined;
  const applied = await listAppliedMigrations(db);
  if (applied.length === 0) return NO_DATABASE;
  // As the start does.
  assertKnownMigrations(applied);
  const leaseTime = getSharedTime(deps.place.url ? "postgres" : "sqlite");
  return {
    kind: "present" as const,
    /** Names of the applied migrations, and of those this build knows. */
    applied,
    known: knownMigrations,
    /** Undefined with SQLite: it has the clock of this machine. */
    clockAheadMs,
    /** The connections that PostgreSQL allows; undefined with SQLite. */
    connectionLimit: deps.place.url ? await findConnectionLimit(db) : undefined,
    /** Whether PostgreSQL finds parts of words; undefined with SQLite, which always does, and before the migration for it. */
    findsParts: deps.place.url && applied.includes(PARTS_MIGRATION) ? await hasPartsIndex(db) : undefined,
    /** The text of the log, in bytes. */
    logBytes: await countLogBytes(db).catch(() => 0),
    /** The error of a test write; undefined when it worked (it was rolled back). */
    writeProblem: await findWriteProblem(db),
    // Tables of another version may lack columns; the version itself is reported above.
    accounts: await listAccounts(db, deps).catch(() => []),
    instances: await listRunningNames(db, leaseTime).catch(() => []),
    sharedNames: await listSharedNames(db, leaseTime).catch(() => []),
  };
}

async function countLogBytes(db: Kysely<Tables>): Promise<number> {
  const { bytes } = await db
    .selectFrom("log_hours")
    .select(({ fn }) => fn.sum("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

async function listAccounts(db: Kysely<Tables>, { hasher, environmentPassword }: Deps) {
  const rows = await db
    .selectFrom("accounts")
    .leftJoin("second_factors", "second_factors.account_id", "accounts.id")
    .select(["email", "role", "password_hash", "password_is_temporary", "confirmed_at"])
    .orderBy("email")
    .execute();
  const accounts = [];
  for (const row of rows) {
    const isChecked = row.role === "superadmin" && environmentPassword !== undefined;
    const verdict = isChecked
      ? await hasher.verify(row.password_hash, environmentPassword, ANY_ADDRESS)
      : "mismatch";
    accounts.push({
      email: row.email,
      role: row.role,
      hasTemporaryPassword: row.password_is_temporary === 1,
      hasEnvironmentPassword: verdict === "match" || verdict === "outdated",
      hasSecondFactor: row.confirmed_at !== null,
    });
  }
  return accounts;
}

/** Measures how far the database's clock is ahead; assumes half the round trip for the way back. */
async function measureClockAhead(db: Kysely<Tables>, clock: Clock): Promise<number> {
  const sentAt = clock();
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  return Math.round((rows[0]?.now ?? sentAt) - (sentAt + clock()) / 2);
}

/** Returns the least of the limits that apply to this role, and what sets it. */
async function findConnectionLimit(db: Kysely<Tables>): Promise<{ allowed: number; setBy: string }> {
  const { rows } = await sql<{ allowed: number; set_by: string }>`
    select * from (
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as allowed, 'max_connections' as set_by
      union all select rolconnlimit, 'its role' from pg_roles where rolname = current_user
      union all select datconnlimit, 'its database' from pg_database where datname = current_database()
    ) as limits where allowed >= 0 order by allowed limit 1
  `.execute(db);
  return { allowed: rows[0]?.allowed ?? Infinity, setBy: rows[0]?.set_by ?? "nothing" };
}
