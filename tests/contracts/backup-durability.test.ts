import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { takeBackup } from "~/services/backups/backup.server";
import { useDatabase } from "./use-database";

const { place } = useDatabase("sqlite");

/** Records the inodes that are written to disk while `isBefore` holds, and after it. */
async function watchSyncs(isBefore: () => boolean) {
  const file = await open("/dev/null", "r");
  const prototype = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const { sync } = prototype;
  const synced = { before: new Set<number>(), after: new Set<number>() };
  vi.spyOn(prototype, "sync").mockImplementation(async function (this: typeof file) {
    synced[isBefore() ? "before" : "after"].add((await this.stat()).ino);
    await sync.call(this);
  });
  return synced;
}

// R30
it("a backup gets its name after its files and folders are on disk", async () => {
  const dataDir = place.environment.DATA_DIR;
  mkdirSync(join(dataDir, "outbox", "2023-11-14"), { recursive: true });
  writeFileSync(join(dataDir, "outbox", "2023-11-14", "1.eml"), "an email");
  const into = join(dataDir, "backups");
  const named = join(into, "frontdesk-20231114T221320Z");
  const synced = await watchSyncs(() => !existsSync(named));
  const from = { dataDir, url: undefined, environment: process.env };
  const { folder } = await takeBackup(from, { into, version: "1", clock: () => 1_700_000_000_000 });
  expect(folder).toBe(named);
  const email = join(folder, "data", "outbox", "2023-11-14", "1.eml");
  const folders = [dirname(email), dirname(dirname(email)), join(folder, "data"), folder];
  for (const path of [join(folder, "frontdesk.db"), email, ...folders]) {
    expect([path, synced.before.has(statSync(path).ino)]).toEqual([path, true]);
  }
  expect(synced.after.has(statSync(into).ino)).toBe(true);
});

it("a backup that begins in the same second as another one leaves that alone", async () => {
  const dataDir = place.environment.DATA_DIR;
  const into = join(dataDir, "backups");
  const other = join(into, "frontdesk-20231114T221321Z.unfinished", "frontdesk.db");
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, "of the other one");
  const from = { dataDir, url: undefined, environment: process.env };
  const taking = takeBackup(from, { into, version: "1", clock: () => 1_700_000_001_000 });
  await expect(taking).rejects.toThrow("Another backup into this folder began in the same second.");
  expect(existsSync(other)).toBe(true);
});
