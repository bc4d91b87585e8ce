import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { getLastBackupTime, recordBackupTime, takeBackup } from "~/services/backups/backup.server";
import { testDatabase } from "../databases";
import { temporaryFolder } from "../temporary-folder";

describe("the time of the newest backup", () => {
  it("is known after the backup, and is not part of it", async () => {
    const database = await testDatabase("sqlite");
    const into = temporaryFolder();
    onTestFinished(async () => {
      await database.remove();
      rmSync(into, { recursive: true, force: true });
    });
    await (await database.open()).close();
    const dataDir = database.environment.DATA_DIR;
    const place = { dataDir, url: undefined, environment: process.env };
    const backUp = (at: number) => takeBackup(place, { into, version: "1", clock: () => at });
    expect(await getLastBackupTime(dataDir)).toBeUndefined();
    await backUp(1_700_000_000_000);
    const { folder } = await backUp(1_700_000_060_000);
    expect(await getLastBackupTime(dataDir)).toBe(1_700_000_060_000);
    expect(readdirSync(join(folder, "data"))).not.toContain("last-backup");
  });

  it("does not fail the backup where it cannot be stored", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const nowhere = join(folder, "no-such-folder");
    await expect(recordBackupTime(nowhere, 1)).resolves.toBeUndefined();
    expect(await getLastBackupTime(nowhere)).toBeUndefined();
  });
});
