import { sql } from "kysely";
import { expect, it } from "vitest";
import { createImportWorker } from "~/services/imports/import-worker.server";
import { createTestImports, makeFile } from "../factories/imports";
import { operator, waitUntil } from "../factories/outreach";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("the thread of imports on %s", ({ database, place }) => {
  /** Creates a worker on the test's database, as a server has one, and notes what it logs. */
  function createTestWorker({ dataDir = place.environment.DATA_DIR } = {}) {
    const logged: [level: string, fields: object][] = [];
    const noteAs = (level: string) => (fields: object) => void logged.push([level, fields]);
    const worker = createImportWorker({
      database,
      clock: Date.now,
      place: { url: place.environment.DATABASE_URL, dataDir },
      log: { info: noteAs("info"), warn: noteAs("warn"), error: noteAs("error") },
    });
    return { worker, logged };
  }

  it("does all the work there is, and ends", async () => {
    const { map, imports, submissions } = createTestImports(database);
    const { worker, logged } = createTestWorker();
    const id = await map(makeFile(60));
    await worker.tick();
    expect(await imports.find(id)).toMatchObject({ state: "checked", counts: { new: 60 } });
    await imports.start(id, operator);
    await worker.tick();
    expect(await submissions()).toHaveLength(60);
    await worker.stop();
    expect(logged).toEqual([]);
  });

  it("stops between two pieces, and the next one goes on", async () => {
    const { map, imports } = createTestImports(database);
    const { worker } = createTestWorker();
    const id = await map(makeFile(1500));
    const checked = async () => (await imports.find(id))?.checkedCount ?? 0;
    worker.start();
    await waitUntil(async () => (await checked()) > 0);
    await worker.stop();
    const stopped = await checked();
    expect(stopped).toBeLessThan(1500);
    const next = createTestWorker().worker;
    await next.tick();
    expect(await imports.find(id)).toMatchObject({ state: "checked", counts: { new: 1500 } });
  });

  it("tells the log which line it left out, and why", async () => {
    const { map } = createTestImports(database);
    const { worker, logged } = createTestWorker();
    const id = await map(makeFile(3));
    await database.write((trx) =>
      sql`create unique index on_purpose on import_lines
        ((case when verdict = 'new' and email_key in ('person1@example.com', 'person2@example.com') then 1 end))`.execute(
        trx,
      ),
    );
    await worker.tick();
    expect(logged).toEqual([
      ["error", { import: id, err: expect.objectContaining({ message: expect.stringMatching(/unique/i) }) }],
      ["error", { import: id, err: expect.any(Error), line: 3 }],
    ]);
  });

  it("that cannot open the database fails its step, which is tried again", async () => {
    const { map } = createTestImports(database);
    const { worker } = createTestWorker({ dataDir: "/dev/null/data" });
    await map(makeFile(1));
    await expect(worker.tick()).rejects.toThrow("DATA_DIR");
  });
});
