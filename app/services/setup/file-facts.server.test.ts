import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { recordBackup } from "~/services/backups/backup.server";
import { temporaryFolder } from "../../../tests/temporary-folder";
import {
  collectBackupFacts,
  collectDataFolderFacts,
  readGoogleKeyFile,
  listMissingOverrides,
  getMode,
  hasPostgresPrograms,
  readPackage,
} from "./file-facts.server";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

// C34
it("lists each file of the data folder that others may open, and the folder if others may write to it", async () => {
  writeFileSync(join(folder, "frontdesk.db"), "", { mode: 0o600 });
  const { free, ...closed } = await collectDataFolderFacts(folder);
  expect(closed).toMatchObject({ path: folder, openToOthers: [] });
  expect(free).toBeGreaterThan(0);
  writeFileSync(join(folder, "frontdesk.db-wal"), "", { mode: 0o644 });
  const open = join(folder, "open");
  mkdirSync(open, { mode: 0o755 });
  expect((await collectDataFolderFacts(folder)).openToOthers).toEqual([
    { path: join(folder, "frontdesk.db-wal"), mode: 0o644 },
    { path: open, mode: 0o755 },
  ]);
  expect((await collectDataFolderFacts(open)).openToOthers).toEqual([]);
});

// C34, R23
it("a data folder on a network file system is not read", async () => {
  writeFileSync(join(folder, "frontdesk.db"), "", { mode: 0o644 });
  const facts = { path: folder, fileSystem: "nfs4", openToOthers: undefined, free: undefined };
  expect(await collectDataFolderFacts(folder, "nfs4")).toEqual(facts);
});

// C34
it("finds the newest complete backup and ignores unfinished ones", async () => {
  const addBackup = (name: string, at?: number) => {
    mkdirSync(join(folder, name));
    if (at === undefined) return;
    const manifest = { backup: 1, version: "0.1.0", dialect: "sqlite", at, files: {} };
    writeFileSync(join(folder, name, "backup.json"), JSON.stringify(manifest));
  };
  const collect = () => collectBackupFacts(folder, folder);
  expect(await collect()).toEqual({ folder, newestAt: undefined, isOnSameDisk: true });
  addBackup("frontdesk-20261120T020000Z", 1);
  addBackup("frontdesk-20261121T020000Z", 2);
  addBackup("frontdesk-20261122T020000Z");
  addBackup("frontdesk-20261122T030000Z.unfinished", 3);
  expect((await collect()).newestAt).toBe(2);
  const missing = join(folder, "missing");
  expect(await collectBackupFacts(missing, folder)).toMatchObject({
    newestAt: undefined,
    isOnSameDisk: undefined,
  });
});

// C34
it("without a named folder finds the backup where the newest one went, or remembers it", async () => {
  const elsewhere = join(folder, "elsewhere");
  expect(await collectBackupFacts(undefined, folder)).toMatchObject({ folder: "backups" });
  await recordBackup(folder, { at: 5, folder: elsewhere });
  expect(await collectBackupFacts(undefined, folder)).toEqual({
    folder: elsewhere,
    newestAt: 5,
    isOnSameDisk: undefined,
  });
  mkdirSync(elsewhere);
  expect(await collectBackupFacts(undefined, folder)).toMatchObject({ newestAt: undefined });
  mkdirSync(join(elsewhere, "frontdesk-19700101T000000Z"));
  writeFileSync(join(elsewhere, "frontdesk-19700101T000000Z", "backup.json"), "");
  expect(await collectBackupFacts(undefined, folder)).toMatchObject({ newestAt: 5, isOnSameDisk: true });
});

// C34
it("tells whether PostgreSQL's programs are installed", async () => {
  expect(await hasPostgresPrograms({ NODE_ENV: "test", PATH: folder })).toBe(false);
});

// C34
it("reads the mode and kind of Google's key file, and nothing of a missing one", async () => {
  const path = join(folder, "google.json");
  expect(await readGoogleKeyFile(path)).toBeUndefined();
  expect(await getMode(path)).toBeUndefined();
  writeFileSync(path, "{}", { mode: 0o640 });
  expect(await readGoogleKeyFile(path)).toEqual({ mode: 0o640, isServiceAccount: false });
});

// C34
it("the lockfile of this product follows its overrides, and pins a Node", () => {
  expect(readPackage(".")).toEqual({ pinnedNode: "24.21.0", overridesMissing: [] });
});

// C34
it.each([
  ["is nowhere", { rollup: "4.67.4" }, {}, ["rollup 4.67.4"]],
  ["has another version", { rollup: "4.67.4" }, { "node_modules/rollup": "4.68.7" }, ["rollup 4.67.4"]],
  [
    "has another version in one place",
    { rollup: "4.67.4" },
    { "node_modules/rollup": "4.67.4", "node_modules/vite/node_modules/rollup": "4.68.7" },
    ["rollup 4.67.4"],
  ],
  ["has its version", { rollup: "4.67.4" }, { "node_modules/rollup": "4.67.4" }, []],
  [
    "has the version all share, where one package is to have it",
    { "@google-cloud/local-auth": { "google-auth-library": "11.3.4" } },
    { "node_modules/@google-cloud/local-auth": "3.0.1", "node_modules/google-auth-library": "11.3.4" },
    [],
  ],
  [
    "has a copy of another version there",
    { "@google-cloud/local-auth": { "google-auth-library": "11.3.4" } },
    {
      "node_modules/@google-cloud/local-auth": "3.0.1",
      "node_modules/@google-cloud/local-auth/node_modules/google-auth-library": "9.15.1",
      "node_modules/google-auth-library": "11.3.4",
    },
    ["google-auth-library 11.3.4 in @google-cloud/local-auth"],
  ],
])("an override whose package %s is reported correctly", (_, overrides, versions, missing) => {
  const packages = Object.fromEntries(Object.entries(versions).map(([path, version]) => [path, { version }]));
  expect(listMissingOverrides(overrides, packages)).toEqual(missing);
});
