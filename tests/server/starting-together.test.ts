import { readdirSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { dialects, testDatabase } from "../databases";
import { withRawConnection, migrateThrough, dumpSchema } from "../factories/old-database";
import { listFaults } from "../faults/ledger";
import { removeAfterTest } from "../fixture";
import { startServer, type ServerProcess } from "../server-process";
import { chooseSize } from "../sizes";

const CASES: (readonly [name: string, last: Parameters<typeof migrateThrough>[1] | undefined])[] = [
  ["a new database", undefined],
  ["a database of an earlier version", "0002-submissions"],
];
const INSTANCES = chooseSize({ daily: 2, full: 5 });

describe.each(dialects)("instances that start at the same moment, on %s", (dialect) => {
  const daily = dialect === "postgres" ? CASES.slice(0, 1) : CASES.slice(1);
  // R24
  it.each(chooseSize({ daily, full: CASES }))(
    "on %s: one migrates it, and all of them serve",
    async (_, last) => {
      const database = removeAfterTest(await testDatabase(dialect));
      const instances: ServerProcess[] = [];
      if (last) await migrateThrough(database, last);
      const starting = Array.from({ length: INSTANCES }, () => startServer(database.environment));
      const failures: unknown[] = [];
      for (const started of await Promise.allSettled(starting)) {
        if (started.status === "fulfilled") instances.push(removeAfterTest(started.value));
        else failures.push(started.reason);
      }
      expect(failures).toEqual([]);
      const pages = instances.map(async (instance) => (await instance.fetch("/login")).status);
      expect(await Promise.all(pages)).toEqual(Array(INSTANCES).fill(200));
      expect(instances.flatMap((instance) => listFaults(instance.output()))).toEqual([]);
      const superadmins = await withRawConnection(database, (db) =>
        db.selectFrom("accounts").selectAll().execute(),
      );
      expect(superadmins).toHaveLength(1);
      const files = readdirSync(database.environment.DATA_DIR);
      expect(files.filter((name) => name.startsWith("before-update-"))).toEqual(
        last && dialect === "sqlite" ? [`before-update-${last}.db`] : [],
      );
    },
  );

  // R24
  it("do not start on a database of a newer version, and say why", async () => {
    const database = removeAfterTest(await testDatabase(dialect));
    await (await database.open()).close();
    await withRawConnection(database, (db) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', 'now')`.execute(db),
    );
    const before = await dumpSchema(database);
    await expect(startServer(database.environment)).rejects.toThrow(
      /ended while starting:\nThe database was last used by a newer version of this program: its migration 9999-from-the-future is unknown here\. Nothing was changed\. Start the newer version, or restore a backup from before the update\.\n$/,
    );
    expect(await dumpSchema(database)).toBe(before);
  });
});
