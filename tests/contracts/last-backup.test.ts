import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getLastBackup, recordBackup, takeBackup } from "~/services/backups/backup.server";
import { useDatabase } from "./use-database";

describe("the newest backup", () => {
  const { place } = useDatabase("sqlite");

  it("is known with its folder after the backup, and is not part of it", async () => {
    const dataDir = place.environment.DATA_DIR;
    const from = { dataDir, url: undefined, environment: process.env };
    const into = join(dataDir, "backups");
    const backUp = (at: number) => takeBackup(from, { into, version: "1", clock: () => at });
    expect(await getLastBackup(dataDir)).toBeUndefined();
    await backUp(1_700_000_000_000);
    const { folder } = await backUp(1_700_000_060_000);
    expect(await getLastBackup(dataDir)).toEqual({ at: 1_700_000_060_000, folder: into });
    expect(readdirSync(join(folder, "data"))).not.toContain("last-backup");
  });

  it("is known by its time alone when an earlier version took it", async () => {
    const dataDir = place.environment.DATA_DIR;
    writeFileSync(join(dataDir, "last-backup"), "1700000000000");
    expect(await getLastBackup(dataDir)).toEqual({ at: 1_700_000_000_000, folder: undefined });
  });

  it("does not fail the backup where it cannot be stored", async () => {
    const nowhere = join(place.environment.DATA_DIR, "no-such-folder");
    await expect(recordBackup(nowhere, { at: 1, folder: nowhere })).resolves.toBeUndefined();
    expect(await getLastBackup(nowhere)).toBeUndefined();
  });
});
