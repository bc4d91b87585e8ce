import { afterAll, afterEach, beforeEach, describe, inject } from "vitest";
import type { Database } from "~/db/database.server";
import { dialects, postgresPlace, sqliteDatabase, type TestDatabase } from "../databases";
import { WorkerPostgres } from "./migrated-postgres";

/** The database of the test that runs: an empty migrated one, open, and the place where it can be opened again. */
interface UsedDatabase {
  readonly database: Database;
  readonly place: TestDatabase;
}

/** Gives each test of this `describe` a database, and removes it afterwards. */
export function useDatabase(dialect: TestDatabase["dialect"]): UsedDatabase {
  const { sqlite, postgres } = inject("templates");
  const worker = dialect === "postgres" ? new WorkerPostgres(postgres) : undefined;
  let database: Database;
  let place: TestDatabase;
  beforeEach(async () => {
    place = worker ? postgresPlace(worker.url) : sqliteDatabase(sqlite);
    database = worker ? await worker.fresh() : await place.open();
  });
  afterEach(async () => {
    if (!worker) await database.close();
    await place.remove();
  });
  afterAll(() => worker?.close());

  return {
    database: {
      dialect,
      get read() {
        return database.read;
      },
      get longRead() {
        return database.longRead;
      },
      write: (work) => database.write(work),
      probe: () => database.probe(),
      close: () => database.close(),
    },
    place: {
      dialect,
      get environment() {
        return place.environment;
      },
      open: (options) => place.open(options),
      remove: () => place.remove(),
    },
  };
}

/** Describes what holds on SQLite and on PostgreSQL, which take the place of %s in the name. */
export function describeOnDatabases(
  name: string,
  describeOn: (used: UsedDatabase & { dialect: TestDatabase["dialect"] }) => void,
): void {
  describe.each(dialects)(name, (dialect) => describeOn({ ...useDatabase(dialect), dialect }));
}
