import { execFile, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dialects, temporaryFolder, testDatabase } from "../databases";
import type { TestDatabase } from "../databases";
import { look } from "../faults/ledger";
import { sendToEverybody } from "../faults/operator";
import { logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, someone, stampOfAPerson, submit } from "./visitors";

/** Of `npm run backup` and `npm run restore` (hardening R30, R33). */

const hasClient = spawnSync("pg_dump", ["--version"]).status === 0;
if (!hasClient) process.stdout.write("Without PostgreSQL's client programs its backup is not tested.\n");

interface Ended {
  readonly code: number;
  readonly said: string;
}

describe.each(dialects)("a backup of %s (R30)", (dialect) => {
  const isSkipped = dialect === "postgres" && !hasClient;
  let database: TestDatabase;
  let server: ServerProcess;
  let into: string;

  beforeEach(async () => {
    if (isSkipped) return;
    into = temporaryFolder();
    database = await testDatabase(dialect);
    server = await startServer({ ...database.environment, ...BEHIND_A_PROXY, MAIL_HOLD_SECONDS: "3600" });
  });
  afterEach(async () => {
    if (isSkipped) return;
    await server.remove();
    await database.remove();
    rmSync(into, { recursive: true, force: true });
  });

  const run = (script: "backup" | "restore", ...args: string[]) =>
    new Promise<Ended>((resolve) => {
      const env = { ...process.env, ...database.environment } as NodeJS.ProcessEnv;
      execFile("node_modules/.bin/node", [`scripts/${script}.ts`, ...args], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, said: out + err }),
      );
    });
  const taken = () => join(into, readdirSync(into).find((name) => name.startsWith("frontdesk-")) ?? "none");
  const addresses = () =>
    look(database, async ({ read }) => {
      const rows = await read.selectFrom("submissions").select("email").orderBy("email").execute();
      return rows.map(({ email }) => email);
    });

  it.skipIf(isSkipped)("taken while visitors sign up holds all that was acknowledged before", async () => {
    const stamp = await stampOfAPerson(server);
    const acknowledged: string[] = [];
    const signUp = async (email: string) => {
      const answer = await submit(server, "/early-access", { stamp, email, name: email }, someone());
      if (answer.status === 303 || answer.redirected) acknowledged.push(email);
    };
    for (let n = 0; n < 20; n += 1) await signUp(`before-${n}@example.com`);
    const before = [...acknowledged];
    writeFileSync(join(server.dataDir, "kept.txt"), "of the data folder");

    const backup = run("backup", into);
    const isOver = { yet: false };
    void backup.then(() => (isOver.yet = true));
    for (let n = 0; !isOver.yet; n += 1) await signUp(`meanwhile-${n}@example.com`);
    expect(await backup).toMatchObject({ code: 0, said: expect.stringContaining("checked") as string });
    await signUp("after@example.com");
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(before).toHaveLength(20);
    expect(statSync(taken()).mode & 0o77).toBe(0);

    expect(await run("restore", taken())).toMatchObject({
      code: 1,
      said: expect.stringContaining("in use") as string,
    });
    await server.stop();
    await look(database, ({ write }) => write((trx) => trx.deleteFrom("submissions").execute()));
    expect(await run("restore", taken())).toEqual({
      code: 0,
      said: expect.stringContaining("Restored") as string,
    });
    const restored = await addresses();
    expect(restored).toEqual(expect.arrayContaining(before));
    expect(restored.filter((email) => !acknowledged.includes(email))).toEqual([]);
    expect(restored).not.toContain("after@example.com");
    expect(existsSync(join(server.dataDir, "kept.txt"))).toBe(true);
    await server.restart();
    expect(
      (await server.fetch("/admin/dashboard", { headers: { Cookie: await logIn(server) } })).status,
    ).toBe(200);
  });

  it.skipIf(isSkipped)("of a send under way is restored with the send paused, which says why", async () => {
    const stamp = await stampOfAPerson(server);
    await submit(server, "/early-access", { stamp, email: "ada@example.com" }, someone());
    const cookie = await logIn(server);
    const id = await sendToEverybody(server, cookie);
    expect((await run("backup", into)).code).toBe(0);
    await server.stop();
    const { said } = await run("restore", taken());
    expect(said).toContain("Paused, for somebody to look at: 1");
    await server.restart();
    const page = await (await server.fetch(`/admin/outreach/${id}`, { headers: { Cookie: cookie } })).text();
    expect(page).toContain("Restored from a backup");
  });

  it.skipIf(isSkipped)(
    "in DATA_DIR, whose restore is killed half way, stops the next start with where the data is and what to do (R33)",
    async () => {
      const stamp = await stampOfAPerson(server);
      await submit(server, "/early-access", { stamp, email: "ada@example.com" }, someone());
      expect((await run("backup", server.dataDir)).code).toBe(0);
      const name = readdirSync(server.dataDir).find((name) => name.startsWith("frontdesk-2")) ?? "none";
      const folder = join(server.dataDir, name);
      await submit(server, "/early-access", { stamp, email: "grace@example.com" }, someone());
      await server.stop();

      for (const [step, where] of [
        [
          "replace the database",
          `what was there before is whole. To restore, run npm run restore -- ${folder}`,
        ],
        ["end", `What was there before is whole in ${server.dataDir}/before-restore-`],
      ] as const) {
        const env = { ...process.env, ...database.environment };
        const args = ["tests/factories/dying-restore.ts", folder, step];
        expect(spawnSync("node_modules/.bin/node", args, { env }).signal).toBe("SIGKILL");
        await expect(server.restart()).rejects.toThrow(where);
      }
      expect((await run("restore", folder)).said).toContain("Restored what was there at");
      expect(await addresses()).toEqual(["ada@example.com"]);
      await server.restart();
    },
  );

  it.skipIf(isSkipped)(
    "that is damaged, unfinished or none is not restored, and nothing is touched",
    async () => {
      const stamp = await stampOfAPerson(server);
      await submit(server, "/early-access", { stamp, email: "ada@example.com" }, someone());
      expect((await run("backup", into)).code).toBe(0);
      await server.stop();
      const folder = taken();
      const copy = readdirSync(folder).find((name) => name.startsWith("frontdesk.")) ?? "none";
      appendFileSync(join(folder, copy), "one byte too many");
      expect(await run("restore", folder)).toMatchObject({
        code: 1,
        said: expect.stringContaining(`${copy} is not as it was written`) as string,
      });
      rmSync(join(folder, copy));
      expect((await run("restore", folder)).said).toContain(`${copy} is missing`);
      mkdirSync(join(into, "empty"));
      expect((await run("restore", join(into, "empty"))).said).toContain("no backup that is whole");
      expect((await run("restore")).said).toContain("Usage");
      expect(await addresses()).toEqual(["ada@example.com"]);
    },
  );
});
