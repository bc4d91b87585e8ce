import { sql } from "kysely";
import type { Kysely } from "kysely";
import { DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration";
import { initial } from "./migrations/0001-initial.server";
import { quarantine } from "./migrations/0002-quarantine.server";
import { confirmations } from "./migrations/0003-confirmations.server";
import { activity } from "./migrations/0004-activity.server";
import { peopleSearch } from "./migrations/0005-people-search.server";
import { apiTokens } from "./migrations/0006-api-tokens.server";
import { secondFactor } from "./migrations/0007-second-factor.server";
import { submissionTables } from "./migrations/0008-submission-tables.server";
import { devices } from "./migrations/0009-devices.server";
import { suppressions } from "./migrations/0010-suppressions.server";
import { pace } from "./migrations/0011-pace.server";
import { people } from "./migrations/0012-people.server";
import { broadcasts } from "./migrations/0013-broadcasts.server";
import { logs } from "./migrations/0014-logs.server";
import { resources } from "./migrations/0015-resources.server";
import { deliveryCounts } from "./migrations/0016-delivery-counts.server";
import { mirrors } from "./migrations/0017-mirrors.server";
import { platformBroadcasts } from "./migrations/0018-platform-broadcasts.server";
import { allWords } from "./migrations/0019-all-words.server";
import { wordPairs } from "./migrations/0020-word-pairs.server";
import { acceptedDevices } from "./migrations/0021-accepted-devices.server";
import { superadminPasswords } from "./migrations/0022-superadmin-passwords.server";
import { resentAfterCrash } from "./migrations/0023-resent-after-crash.server";
import { audiencePositions } from "./migrations/0027-audience-positions.server";
import { draftEditors } from "./migrations/0029-draft-editors.server";
import type { Tables } from "./tables";

/** In order; a number is never reused and a landed migration never changed. */
export const migrations = {
  "0001-initial": initial,
  "0002-quarantine": quarantine,
  "0003-confirmations": confirmations,
  "0004-activity": activity,
  "0005-people-search": peopleSearch,
  "0006-api-tokens": apiTokens,
  "0007-second-factor": secondFactor,
  "0008-submission-tables": submissionTables,
  "0009-devices": devices,
  "0010-suppressions": suppressions,
  "0011-pace": pace,
  "0012-people": people,
  "0013-broadcasts": broadcasts,
  "0014-logs": logs,
  "0015-resources": resources,
  "0016-delivery-counts": deliveryCounts,
  "0017-mirrors": mirrors,
  "0018-platform-broadcasts": platformBroadcasts,
  "0019-all-words": allWords,
  "0020-word-pairs": wordPairs,
  "0021-accepted-devices": acceptedDevices,
  "0022-superadmin-passwords": superadminPasswords,
  "0023-resent-after-crash": resentAfterCrash,
  "0027-audience-positions": audiencePositions,
  "0029-draft-editors": draftEditors,
};

/** Their names, in order: what this program knows. */
export const knownMigrations: readonly string[] = Object.keys(migrations);

/** The database holds what only a newer version of this program has made. Its sentence is for the person at the terminal. */
export class NewerDatabaseError extends Error {
  constructor(unknown: string) {
    super(
      `The database was last used by a newer version of this program: its change ${unknown} is not known here. ` +
        "Nothing was changed. Start the newer version, or restore a backup from before the update.",
    );
  }
}

/** What a change of the schema is about to be made to. */
export interface SchemaChange {
  /** The last change the database has. */
  readonly from: string;
}

/**
 * Brings the schema up to date, once, under a lock: the write lock of the transaction on SQLite, an advisory lock on
 * PostgreSQL. All pending migrations apply or none does, whenever the process is killed (hardening R24).
 * @param beforeChange called when a database that holds something is about to be changed; what it throws prevents that.
 * @throws NewerDatabaseError when the database holds a migration this program does not know.
 * @throws when a migration fails.
 */
export async function migrate(
  db: Kysely<Tables>,
  beforeChange: (change: SchemaChange) => void = () => undefined,
): Promise<void> {
  const applied = await appliedMigrations(db);
  refuseNewer(applied);
  // Kysely looks at every table and column several times before it finds nothing to do.
  if (applied.length === knownMigrations.length) return;
  const from = applied.at(-1);
  if (from !== undefined) beforeChange({ from });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error("The database could not be brought up to date", { cause: error });
}

/** @throws NewerDatabaseError when one of a database's changes is not known here. */
export function refuseNewer(applied: readonly string[]): void {
  const unknown = applied.findLast((name) => !knownMigrations.includes(name));
  if (unknown !== undefined) throw new NewerDatabaseError(unknown);
}

/** Names of the changes a database has, in order; none when it is new. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}
