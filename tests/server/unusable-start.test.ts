import { createServer } from "node:net";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SERVER_COMMAND } from "../../scripts/server-command.mjs";
import { freePort } from "../../scripts/free-port.mjs";
import { testDatabase } from "../databases";
import { listen } from "../fakes/listen";
import { removeAfterTest } from "../fixture";
import { runNode } from "../run-node";
import { startServer } from "../server-process";
import { temporaryFolder } from "../temporary-folder";

function folderOfTest(): string {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the server with settings that it cannot start with, and waits for its end. */
async function start(settings: Record<string, string>) {
  const PORT = String(await freePort());
  return runNode(SERVER_COMMAND, { NODE_ENV: "production", PORT, ...settings });
}

// R55
it("a DATA_DIR that is a file ends the start in one sentence", async () => {
  const path = join(folderOfTest(), "data");
  writeFileSync(path, "");
  const ended = await start({ DATA_DIR: path });
  expect(ended).toMatchObject({ code: 1, output: `DATA_DIR: ${path} is not a folder: name a folder.\n` });
});

// R55
it("a database file that is none ends the start in one sentence", async () => {
  const folder = folderOfTest();
  writeFileSync(join(folder, "frontdesk.db"), "This is a text and not a database. ".repeat(100));
  const { code, output } = await start({ DATA_DIR: folder });
  expect(code).toBe(1);
  expect(output).toBe(
    `DATA_DIR: ${join(folder, "frontdesk.db")} cannot be opened: file is not a database.\n`,
  );
});

// R55
it("a PostgreSQL that is down ends the start in one sentence, without the password", async () => {
  const port = await freePort();
  const DATABASE_URL = `postgres://frontdesk:canary@127.0.0.1:${port}/launch`;
  const { code, output } = await start({ DATA_DIR: folderOfTest(), DATABASE_URL });
  expect(code).toBe(1);
  expect(output.trimEnd().split("\n")).toEqual([
    expect.stringMatching(
      `^DATABASE_URL: PostgreSQL at 127\\.0\\.0\\.1:${port}/launch cannot be used: connect ECONNREFUSED`,
    ),
  ]);
});

it("a port that is in use ends the start in one sentence", async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  const PORT = String(await listen(other));
  const { code, output } = await start({ DATA_DIR: folderOfTest(), PORT });
  expect(code).toBe(1);
  expect(output).toContain(`PORT: ${PORT} is in use: stop the program that uses it, or choose another.\n`);
});

// R44
it("with PostgreSQL a new DATA_DIR is created, and its disk is watched", async () => {
  const place = removeAfterTest(await testDatabase("postgres"));
  const folder = join(folderOfTest(), "new");
  const { DATABASE_URL = "" } = place.environment;
  const server = removeAfterTest(
    await startServer({ DATABASE_URL, DATA_DIR: folder, MIN_FREE_DISK_MB: "1" }),
  );
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect((await server.fetch("/readyz")).status).toBe(200);
  expect(existsSync(join(folder, "disk-reserve"))).toBe(true);
});
