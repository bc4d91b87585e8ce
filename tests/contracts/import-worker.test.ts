import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { createImportWorker } from "~/services/imports/import-worker.server";
import { newId } from "~/services/service-deps";
import type { TestDatabase } from "../databases";
import { createTestImports, makeFile, startImport } from "../factories/imports";
import { runNode } from "../run-node";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases, useDatabase } from "./use-database";

/** Lines that are not gone through before a busy test stops the worker: some 15 s of work. */
const LINES = 20_000;

/** Creates a worker on a test's database, as a server has one, and notes what it logs. */
function createTestWorker(database: Database, { environment }: TestDatabase) {
  const logged: [level: string, fields: object][] = [];
  const noteAs = (level: string) => (fields: object) => void logged.push([level, fields]);
  const log = { info: noteAs("info"), error: noteAs("error") };
  const dataDir = environment.DATA_DIR;
  return { worker: createImportWorker({ database, clock: Date.now, newId, log, dataDir }), logged };
}

describeOnDatabases("the worker of imports on %s", ({ database, place }) => {
  it("does all the work there is", async () => {
    const { map, imports, submissions } = createTestImports(database);
    const { worker, logged } = createTestWorker(database, place);
    const id = await map(makeFile(60));
    await worker.tick();
    expect(await imports.find(id)).toMatchObject({ state: "checked", counts: { new: 60 } });
    await startImport(imports, id);
    await worker.tick();
    expect(await submissions()).toHaveLength(60);
    await worker.stop();
    expect(logged).toEqual([]);
  });

  it("stops between two pieces, and the next one goes on", async () => {
    const { map, imports } = createTestImports(database);
    const { worker } = createTestWorker(database, place);
    const id = await map(makeFile(LINES));
    const getChecked = async () => (await imports.find(id))?.checkedCount ?? 0;
    const check = async (worker: ReturnType<typeof createTestWorker>["worker"], past: number) => {
      worker.start();
      await yieldUntil(async () => (await getChecked()) > past);
      await worker.stop();
      return getChecked();
    };
    const checked = await check(worker, 0);
    expect(checked).toBeLessThan(LINES);
    expect(await getChecked()).toBe(checked);
    const more = await check(createTestWorker(database, place).worker, checked);
    expect(more).toBeLessThan(LINES);
    expect(await imports.find(id)).toMatchObject({ state: "checking", counts: { new: more } });
  });

  it("begins nothing when it is stopped while it looks for work", async () => {
    const { map, imports } = createTestImports(database);
    const { worker } = createTestWorker(database, place);
    const id = await map(makeFile(60));
    worker.start();
    await worker.stop();
    expect(await imports.find(id)).toMatchObject({ state: "checking", checkedCount: 0 });
  });

  it("tells the log which line it left out, and why", async () => {
    const { map } = createTestImports(database);
    const { worker, logged } = createTestWorker(database, place);
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
});

describe("the thread of imports", () => {
  const { database, place } = useDatabase("sqlite");
  const at = (name: string) => join(place.environment.DATA_DIR, name);

  it("leaves the locks of the process on its file, by which a restore sees a running server", async () => {
    const { map } = createTestImports(database);
    await map(makeFile(60));
    await createTestWorker(database, place).worker.tick();
    const program = `
      import { importAsViteDoes } from "./scripts/vite-imports.ts";
      importAsViteDoes();
      const { isSqliteInUse } = await import("./app/db/sqlite-file.server.ts");
      console.log(isSqliteInUse(process.env.DATA_DIR));
    `;
    const { stdout, output } = await runNode(["--input-type=module", "--eval", program], place.environment);
    expect(stdout, output).toBe("true\n");
    await database.probe();
  });

  it("creates no file in the place of one that was moved, and goes on when it is back", async () => {
    const { map, imports } = createTestImports(database);
    const { worker } = createTestWorker(database, place);
    const id = await map(makeFile(60));
    renameSync(at("frontdesk.db"), at("away.db"));
    await expect(worker.tick()).rejects.toThrow("was removed, moved or replaced");
    expect(existsSync(at("frontdesk.db"))).toBe(false);
    renameSync(at("away.db"), at("frontdesk.db"));
    await worker.tick();
    expect(await imports.find(id)).toMatchObject({ state: "checked", counts: { new: 60 } });
  });
});
