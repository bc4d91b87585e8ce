import SqliteFile from "better-sqlite3";
import { sql, type Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { join } from "node:path";
import { migrations } from "~/db/migrate.server";
import { SQLITE_FILE } from "~/db/sqlite-file.server";
import type { Tables } from "~/db/tables";
import { withUnmigratedDatabase } from "~/db/unmigrated-database.server";
import { newId } from "~/services/service-deps";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import type { TestDatabase } from "../databases";

/** Opens a connection that bypasses the product, without migrations, for the time of `work`. */
export async function withRawConnection<T>(
  { environment: { DATA_DIR: dataDir, DATABASE_URL: url } }: TestDatabase,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  // A new database has no file yet.
  if (!url) new SqliteFile(join(dataDir, SQLITE_FILE)).close();
  return (await withUnmigratedDatabase({ dataDir, url }, work)) as T;
}

/** Migrates a new database to the schema of an earlier version: all migrations up to `last`. */
export async function migrateThrough(place: TestDatabase, last: keyof typeof migrations): Promise<void> {
  await withRawConnection(place, async (db) => {
    if (place.dialect === "sqlite") await sql`pragma journal_mode = wal`.execute(db);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateTo(last);
    if (error) throw error;
  });
}

/** Returns the tables, columns, indexes, constraints and migrations of a database as one text to compare. */
export function dumpSchema(place: TestDatabase): Promise<string> {
  return withRawConnection(place, async (db) => {
    const parts =
      place.dialect === "sqlite"
        ? [sql`select type, name, sql from sqlite_master order by type, name`]
        : [
            sql`select table_name, column_name, data_type, is_nullable, column_default
              from information_schema.columns where table_schema = 'public' order by table_name, column_name`,
            sql`select indexdef from pg_indexes where schemaname = 'public' order by indexdef`,
            sql`select conrelid::regclass::text as of, pg_get_constraintdef(oid) as rule from pg_constraint
              where connamespace = 'public'::regnamespace order by 1, 2`,
          ];
    const names = sql`select name from kysely_migration order by name`;
    const found = [];
    for (const part of [...parts, names]) found.push((await part.execute(db)).rows);
    return JSON.stringify(found);
  });
}

/** Adds early access signups to a database of an earlier version, with the columns it has; resolves with the addresses. */
export async function addOldSignups(db: Kysely<Tables>, count: number): Promise<string[]> {
  const submissions = (await db.introspection.getTables()).find(({ name }) => name === "submissions");
  const known = submissions?.columns.map(({ name }) => name) ?? [];
  const empty = Object.entries(EMPTY_FIELDS).filter(([column]) => known.includes(column));
  const rows = Array.from({ length: count }, (_, index) => ({
    // Also without the columns of later versions, which get their defaults.
    ...(Object.fromEntries(empty) as typeof EMPTY_FIELDS & { source: string }),
    id: newId(),
    kind: "early-access" as const,
    state: "accepted" as const,
    quarantine_reason: "" as const,
    name: `Person ${index + 1}`,
    email: `person-${index + 1}@list.test`,
    email_key: `person-${index + 1}@list.test`,
    created_at: Date.now(),
  }));
  await db.insertInto("submissions").values(rows).execute();
  await db
    .insertInto("submission_counts")
    .values({ kind: "early-access", state: "accepted", count })
    .execute();
  return rows.map(({ email }) => email);
}
