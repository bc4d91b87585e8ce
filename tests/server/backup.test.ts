import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { takeBackup } from "~/services/backups/backup.server";
import { dialects, testDatabase, type TestDatabase } from "../databases";
import { withDatabase } from "../faults/ledger";
import { sendToEverybody } from "../faults/operator";
import { runNode } from "../run-node";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { isFullSize } from "../sizes";
import { temporaryFolder } from "../temporary-folder";
import { BEHIND_A_PROXY, someone, stampOfAPerson, submit } from "./visitors";

const hasClient = spawnSync("pg_dump", ["--version"]).status === 0;
if (!hasClient) process.stdout.write("Without PostgreSQL's client programs its backup is not tested.\n");

const BETWEEN_VISITORS_MS = 10;

// R30, R33
describe.each(dialects)("npm run backup and npm run restore on %s", (dialect) => {
  const isSkipped = dialect === "postgres" && !hasClient;
  const test = it.skipIf(isSkipped);
  const longTest = it.skipIf(isSkipped || !isFullSize);
  let database: TestDatabase;
  let server: ServerProcess;
  let stamp: string;
  let into: string;

  beforeAll(async () => {
    if (isSkipped) return;
    into = temporaryFolder();
    database = await testDatabase(dialect);
    server = await startServer({ ...database.environment, ...BEHIND_A_PROXY, MAIL_HOLD_SECONDS: "3600" });
    stamp = await stampOfAPerson(server);
  });
  afterAll(async () => {
    if (isSkipped) return;
    await server.remove();
    await database.remove();
    rmSync(into, { recursive: true, force: true });
  });

  const run = (script: string, ...args: string[]) =>
    runNode([script, ...args], { ...process.env, ...database.environment });
  const getBackup = () =>
    join(into, readdirSync(into).find((name) => name.startsWith("frontdesk-")) ?? "none");
  const backUp = (into: string) => {
    const { DATA_DIR: dataDir, DATABASE_URL: url } = database.environment;
    const place = { dataDir, url, environment: process.env };
    return takeBackup(place, { into, version: "1.0.0", clock: Date.now });
  };
  const listAddresses = () =>
    withDatabase(database, async ({ read }) => {
      const rows = await read.selectFrom("submissions").select("email").orderBy("email").execute();
      return rows.map(({ email }) => email);
    });
  const acknowledged: string[] = [];
  const signUp = async (email: string) => {
    const answer = await submit(server, "/early-access", { stamp, email, name: email }, someone());
    if (answer.status === 303 || answer.redirected) acknowledged.push(email);
  };

  test("keep every acknowledged signup and pause campaigns", async () => {
    for (let n = 0; n < 20; n += 1) await signUp(`before-${n}@example.com`);
    const before = [...acknowledged];
    writeFileSync(join(server.dataDir, "kept.txt"), "of the data folder");
    const headers = { Cookie: await logIn(server) };
    const campaign = await sendToEverybody(server, headers.Cookie);

    const backup = run("scripts/backup.ts", into);
    const state = { isOver: false };
    void backup.then(() => (state.isOver = true));
    for (let n = 0; !state.isOver; n += 1) {
      await signUp(`meanwhile-${n}@example.com`);
      await pause(BETWEEN_VISITORS_MS);
    }
    expect(await backup).toMatchObject({ code: 0, output: expect.stringContaining("checked") as string });
    await signUp("after@example.com");
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(before).toHaveLength(20);
    const files = ["", dialect === "sqlite" ? "frontdesk.db" : "frontdesk.dump"];
    const modes = files.map((name) => statSync(join(getBackup(), name)).mode & 0o77);
    expect(modes).toEqual([0, 0]);

    const inUse = expect.stringContaining("in use") as string;
    expect(await run("scripts/restore.ts", getBackup())).toMatchObject({ code: 1, output: inUse });
    await server.stop();
    await withDatabase(database, ({ write }) => write((trx) => trx.deleteFrom("submissions").execute()));
    const { code, output } = await run("scripts/restore.ts", getBackup());
    expect([code, output]).toEqual([0, expect.stringContaining("Restored")]);
    expect(output).toContain("Paused for review: 1");
    const restored = await listAddresses();
    expect(restored).toEqual(expect.arrayContaining(before));
    expect(restored.filter((email) => !acknowledged.includes(email))).toEqual([]);
    expect(restored).not.toContain("after@example.com");
    expect(existsSync(join(server.dataDir, "kept.txt"))).toBe(true);
    await server.restart();
    expect((await server.fetch("/admin/dashboard", { headers })).status).toBe(200);
    const page = await (await server.fetch(`/admin/outreach/${campaign}`, { headers })).text();
    expect(page).toContain("Restored from a backup");
  });

  longTest("stop the next start after a killed restore", async () => {
    await signUp("ada@example.com");
    const before = await listAddresses();
    const { folder } = await backUp(server.dataDir);
    await signUp("grace@example.com");
    await server.stop();
    const restoreAndKill = (step: string) => run("tests/factories/dying-restore.ts", folder, step);
    expect((await restoreAndKill("replace the database")).code).toBe("SIGKILL");
    const command = `To restore, run npm run restore -- ${folder}`;
    await expect(server.restart()).rejects.toThrow(`the previous data is complete. ${command}`);
    expect((await restoreAndKill("end")).code).toBe("SIGKILL");
    const kept = `The previous data is complete in ${server.dataDir}/before-restore-`;
    await expect(server.restart()).rejects.toThrow(kept);
    expect((await run("scripts/restore.ts", folder)).output).toContain("Restored the data of");
    expect(await listAddresses()).toEqual(before);
    await server.restart();
  });

  longTest("restore no damaged, unfinished or missing backup, and change nothing", async () => {
    const { folder } = await backUp(temporaryFolder());
    onTestFinished(() => rmSync(dirname(folder), { recursive: true }));
    await server.stop();
    const before = await listAddresses();
    const copy = readdirSync(folder).find((name) => name.startsWith("frontdesk.")) ?? "none";
    appendFileSync(join(folder, copy), "one byte too many");
    const damage = expect.stringContaining(`${copy} was changed after the backup`) as string;
    expect(await run("scripts/restore.ts", folder)).toMatchObject({ code: 1, output: damage });
    expect((await run("scripts/restore.ts", dirname(folder))).output).toContain("no complete backup");
    expect((await run("scripts/restore.ts")).output).toContain("Usage");
    expect(await listAddresses()).toEqual(before);
  });
});

// R30
it("npm run backup names a folder that it cannot write to", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "file"), "");
  const into = join(folder, "file", "backups");
  const { code, output } = await runNode(["scripts/backup.ts", into], { DATA_DIR: folder });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(`No backup was taken. The folder ${into} cannot be written to: `),
  ]);
  expect(output).not.toMatch(/ENO|\n +at /);
});
