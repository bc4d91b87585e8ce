import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { initial } from "./migrations/0001-initial.server";
import { quarantine } from "./migrations/0002-quarantine.server";
import { confirmations } from "./migrations/0003-confirmations.server";
import { activity } from "./migrations/0004-activity.server";
import type { Tables } from "./tables";

/** In order; a number is never reused and a landed migration never changed. */
const migrations = {
  "0001-initial": initial,
  "0002-quarantine": quarantine,
  "0003-confirmations": confirmations,
  "0004-activity": activity,
};

/**
 * Brings the schema up to date, once, under a lock: the write lock of the transaction on SQLite, an advisory lock on
 * PostgreSQL. All pending migrations apply or none does.
 * @throws when the database holds a migration this program does not know (it is newer), or one fails.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error("The database could not be brought up to date", { cause: error });
}
