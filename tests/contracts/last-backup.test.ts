import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getLastBackupTime, recordBackupTime, takeBackup } from "~/services/backups/backup.server";
import { useDatabase } from "./use-database";

describe("the time of the newest backup", () => {
  const { place } = useDatabase("sqlite");

  it("is known after the backup, and is not part of it", async () => {
    const dataDir = place.environment.DATA_DIR;
    const from = { dataDir, url: undefined, environment: process.env };
    const into = join(dataDir, "backups");
    const backUp = (at: number) => takeBackup(from, { into, version: "1", clock: () => at });
    expect(await getLastBackupTime(dataDir)).toBeUndefined();
    await backUp(1_700_000_000_000);
    const { folder } = await backUp(1_700_000_060_000);
    expect(await getLastBackupTime(dataDir)).toBe(1_700_000_060_000);
    expect(readdirSync(join(folder, "data"))).not.toContain("last-backup");
  });

  it("does not fail the backup where it cannot be stored", async () => {
    const nowhere = join(place.environment.DATA_DIR, "no-such-folder");
    await expect(recordBackupTime(nowhere, 1)).resolves.toBeUndefined();
    expect(await getLastBackupTime(nowhere)).toBeUndefined();
  });
});
