import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { getLastBackupTime, recordBackupTime } from "~/services/backups/backup-files.server";
import { takeBackup } from "~/services/backups/take-backup.server";
import { temporaryFolder, testDatabase } from "../databases";

describe("when the newest backup was taken", () => {
  it("is known from then on, and is no part of a backup", async () => {
    const place = await testDatabase("sqlite");
    const into = temporaryFolder();
    onTestFinished(async () => {
      await place.remove();
      rmSync(into, { recursive: true, force: true });
    });
    await (await place.open()).close();
    const dataDir = place.environment.DATA_DIR;
    expect(await getLastBackupTime(dataDir)).toBeUndefined();
    const backUp = (at: number) =>
      takeBackup(
        { dataDir, url: undefined, environment: process.env },
        { into, version: "1", clock: () => at },
      );
    await backUp(1_700_000_000_000);
    const { folder } = await backUp(1_700_000_060_000);
    expect(await getLastBackupTime(dataDir)).toBe(1_700_000_060_000);
    expect(readdirSync(join(folder, "data"))).not.toContain("last-backup");
  });

  it("keeps nobody from having a backup where it cannot be written down", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const nowhere = join(folder, "no-such-folder");
    await expect(recordBackupTime(nowhere, 1)).resolves.toBeUndefined();
    expect(await getLastBackupTime(nowhere)).toBeUndefined();
  });
});
