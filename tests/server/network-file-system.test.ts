import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { SERVER_COMMAND } from "../../scripts/server-command.mjs";
import { freePort } from "../../scripts/free-port.mjs";
import { runNode } from "../run-node";
import { temporaryFolder } from "../temporary-folder";

/** A mount whose program has ended: nothing on it can be read, and the kernel still knows its type. */
const folder = temporaryFolder();
const mounted = join(folder, "data");
mkdirSync(mounted);
const mount = `exec 3<>/dev/fuse && mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none ${mounted}`;
const canMount = process.getuid?.() === 0 && spawnSync("sh", ["-c", mount]).status === 0;
if (!canMount)
  process.stdout.write("No FUSE file system can be mounted here: the start on one is not tested.\n");

afterAll(() => {
  if (canMount) spawnSync("umount", ["-l", mounted]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs Node.js with DATA_DIR on that mount. */
async function run(...args: string[]) {
  const PORT = String(await freePort());
  return runNode(args, { NODE_ENV: "production", PORT, DATA_DIR: join(mounted, "of-ours") });
}
const RULE = "is on fuse, a network file system, where SQLite loses data";

// R23
it.skipIf(!canMount)("a start with SQLite on a FUSE mount ends with 1 and names the rule", async () => {
  const { code, output } = await run(...SERVER_COMMAND);
  expect(code).toBe(1);
  expect(output).toContain("The environment is not usable:\n  DATA_DIR: ");
  expect(output).toContain(RULE);
});

// C34, R23
it.skipIf(!canMount)("check:deploy names the same rule and opens no database", async () => {
  const { code, output } = await run("scripts/check-deploy.ts");
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^database-answers +error .*${RULE}`, "m"));
  expect(output).toMatch(/^file-modes +not applicable /m);
});
