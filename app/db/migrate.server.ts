import { sql, type Kysely } from "kysely";
import { DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration";
import { accounts } from "./migrations/0001-accounts.server";
import { submissions } from "./migrations/0002-submissions.server";
import { outreach } from "./migrations/0003-outreach.server";
import { broadcasts } from "./migrations/0004-broadcasts.server";
import { mirrors } from "./migrations/0005-mirrors.server";
import { monitoring } from "./migrations/0006-monitoring.server";
import { draftForms } from "./migrations/0007-draft-forms.server";
import { instances } from "./migrations/0008-instances.server";
import { transactionalEmails } from "./migrations/0009-transactional-emails.server";
import { holds } from "./migrations/0010-holds.server";
import { inquiries } from "./migrations/0011-inquiries.server";
import { visits } from "./migrations/0012-visits.server";
import { invitations } from "./migrations/0013-invitations.server";
import { timeZones } from "./migrations/0014-time-zones.server";
import { setup } from "./migrations/0015-setup.server";
import { listOrders } from "./migrations/0016-list-orders.server";
import { emailChanges } from "./migrations/0017-email-changes.server";
import { inquirySearch } from "./migrations/0018-inquiry-search.server";
import { people } from "./migrations/0019-people.server";
import { peopleSearch } from "./migrations/0020-people-search.server";
import { corrections } from "./migrations/0021-corrections.server";
import { sources } from "./migrations/0022-sources.server";
import { signupFeed } from "./migrations/0023-signup-feed.server";
import { writing } from "./migrations/0024-writing.server";
import { allowanceClasses } from "./migrations/0025-allowance-classes.server";
import { automaticEmails } from "./migrations/0026-automatic-emails.server";
import { alerts } from "./migrations/0027-alerts.server";
import { templates } from "./migrations/0028-templates.server";
import { waves } from "./migrations/0029-waves.server";
import { audiences } from "./migrations/0030-audiences.server";
import { imports } from "./migrations/0031-imports.server";
import { savedViews } from "./migrations/0032-saved-views.server";
import { paceAndFunnel } from "./migrations/0033-pace-and-funnel.server";
import { askedInvitations } from "./migrations/0034-asked-invitations.server";
import { broadcastOrder } from "./migrations/0035-broadcast-order.server";
import { mirrorWrites } from "./migrations/0036-mirror-writes.server";
import { companyWords } from "./migrations/0037-company-words.server";
import { outboxIds } from "./migrations/0038-outbox-ids.server";
import type { Tables } from "./tables";
import { UnusableDatabaseError } from "./unusable-database";

/** Migrations in order. A number is never reused and a landed migration never changed. */
export const migrations = {
  "0001-accounts": accounts,
  "0002-submissions": submissions,
  "0003-outreach": outreach,
  "0004-broadcasts": broadcasts,
  "0005-mirrors": mirrors,
  "0006-monitoring": monitoring,
  "0007-draft-forms": draftForms,
  "0008-instances": instances,
  "0009-transactional-emails": transactionalEmails,
  "0010-holds": holds,
  "0011-inquiries": inquiries,
  "0012-visits": visits,
  "0013-invitations": invitations,
  "0014-time-zones": timeZones,
  "0015-setup": setup,
  "0016-list-orders": listOrders,
  "0017-email-changes": emailChanges,
  "0018-inquiry-search": inquirySearch,
  "0019-people": people,
  "0020-people-search": peopleSearch,
  "0021-corrections": corrections,
  "0022-sources": sources,
  "0023-signup-feed": signupFeed,
  "0024-writing": writing,
  "0025-allowance-classes": allowanceClasses,
  "0026-automatic-emails": automaticEmails,
  "0027-alerts": alerts,
  "0028-templates": templates,
  "0029-waves": waves,
  "0030-audiences": audiences,
  "0031-imports": imports,
  "0032-saved-views": savedViews,
  "0033-pace-and-funnel": paceAndFunnel,
  "0034-asked-invitations": askedInvitations,
  "0035-broadcast-order": broadcastOrder,
  "0036-mirror-writes": mirrorWrites,
  "0037-company-words": companyWords,
  "0038-outbox-ids": outboxIds,
};

/** Names of the migrations that this program knows, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations);

/** Reports that a newer version of this program migrated the database. The message is for the operator. */
export class NewerDatabaseError extends UnusableDatabaseError {
  constructor(unknown: string) {
    super(
      `The database was last used by a newer version of this program: its migration ${unknown} is unknown here. ` +
        "Nothing was changed. Start the newer version, or restore a backup from before the update.",
    );
  }
}

/** Reports that the database has the numbering from before the first release. The message is for the operator. */
export class UnreleasedDatabaseError extends UnusableDatabaseError {
  constructor() {
    super(
      "The database was created by a version from before the first release and cannot be migrated. " +
        "Nothing was changed. Start with an empty DATA_DIR, or with an empty database in DATABASE_URL.",
    );
  }
}

/**
 * Migrates the schema once, under a lock: the write lock of the transaction on SQLite, an advisory lock on
 * PostgreSQL. All pending migrations apply or none does, whenever the process is killed (hardening R24).
 * @param beforeChange called with the last migration of a database with data before it is changed; an error it
 *   throws prevents the change.
 * @throws NewerDatabaseError or UnreleasedDatabaseError when the database holds a migration this program does not
 *   know.
 * @throws when a migration fails.
 */
export async function migrate(
  db: Kysely<Tables>,
  beforeChange: (lastMigration: string) => void = () => undefined,
): Promise<void> {
  const applied = await listAppliedMigrations(db);
  assertKnownMigrations(applied);
  // Saves time: Kysely inspects every table and column several times before it finds nothing to do.
  if (applied.length === knownMigrations.length) return;
  const last = applied.at(-1);
  if (last !== undefined) beforeChange(last);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error("The database could not be migrated", { cause: error });
}

/** @throws NewerDatabaseError or UnreleasedDatabaseError when one of a database's migrations is unknown here. */
export function assertKnownMigrations(applied: readonly string[]): void {
  if (applied.includes("0001-initial")) throw new UnreleasedDatabaseError();
  const unknown = applied.findLast((name) => !knownMigrations.includes(name));
  if (unknown !== undefined) throw new NewerDatabaseError(unknown);
}

/** Lists the names of a database's migrations, in order; none when it is new. */
export async function listAppliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}
