import { sql } from "kysely";
import type { Kysely } from "kysely";
import { withUnmigratedDatabase, findWriteProblem } from "~/db/unmigrated-database.server";
import { listAppliedMigrations, knownMigrations } from "~/db/migrate.server";
import type { Tables } from "~/db/tables";
import { minutes } from "~/lib/durations";
import type { Clock } from "~/services/clock";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { AccountFacts, DatabaseFacts } from "./deploy-check";

/** Running instances write every minute, at its end. */
const RECENT = minutes(5);

interface Deps {
  readonly place: { readonly url: string | undefined; readonly dataDir: string };
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  /** SUPERADMIN_PASSWORD. */
  readonly givenPassword: string | undefined;
}

/** Collects facts about the database, whatever its version. Never throws. */
export async function lookAtDatabase(deps: Deps): Promise<DatabaseFacts> {
  try {
    return (await withUnmigratedDatabase(deps.place, (db) => factsOf(db, deps))) ?? { kind: "none" };
  } catch (error) {
    return { kind: "away", trouble: error instanceof Error ? error.message : String(error) };
  }
}

async function factsOf(db: Kysely<Tables>, deps: Deps): Promise<DatabaseFacts> {
  const clockAheadMs = deps.place.url ? await clockAhead(db, deps.clock) : undefined;
  const applied = await listAppliedMigrations(db);
  if (applied.length === 0) return { kind: "none" };
  return {
    kind: "there",
    applied,
    known: knownMigrations,
    clockAheadMs,
    writeTrouble: await findWriteProblem(db),
    // Tables of another version may lack columns; the version itself is reported above.
    accounts: await accountsIn(db, deps).catch(() => []),
    instances: await instancesIn(db, deps.clock() - RECENT).catch(() => []),
  };
}

async function accountsIn(db: Kysely<Tables>, { hasher, givenPassword }: Deps): Promise<AccountFacts[]> {
  const rows = await db
    .selectFrom("accounts")
    .leftJoin("second_factors", "second_factors.account_id", "accounts.id")
    .select(["email", "role", "password_hash", "password_is_temporary", "confirmed_at"])
    .orderBy("email")
    .execute();
  const accounts: AccountFacts[] = [];
  for (const row of rows) {
    const isAsked = row.role === "superadmin" && givenPassword !== undefined;
    const verdict = isAsked
      ? await hasher.verify(row.password_hash, givenPassword, "this machine")
      : "mismatch";
    accounts.push({
      email: row.email,
      role: row.role,
      hasTemporaryPassword: row.password_is_temporary === 1,
      hasGivenPassword: verdict === "match" || verdict === "outdated",
      hasSecondFactor: row.confirmed_at !== null,
    });
  }
  return accounts;
}

/** Lists instances that wrote in the same minute: two at once, not one restarted under another name. */
async function instancesIn(db: Kysely<Tables>, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom("resource_samples as one")
    .innerJoin("resource_samples as other", (join) =>
      join.onRef("other.at", "=", "one.at").onRef("other.step", "=", "one.step"),
    )
    .select("one.instance")
    .distinct()
    .whereRef("one.instance", "!=", "other.instance")
    .where("one.step", "=", minutes(1))
    .where("one.at", ">", since)
    .orderBy("one.instance")
    .execute();
  return rows.map(({ instance }) => instance);
}

/** Measures how far the database's clock is ahead; assumes half the round trip for the way back. */
async function clockAhead(db: Kysely<Tables>, clock: Clock): Promise<number> {
  const asked = clock();
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  return Math.round((rows[0]?.now ?? asked) - (asked + clock()) / 2);
}
