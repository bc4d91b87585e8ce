import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import {
  lookAtBackups,
  lookAtDataFolder,
  lookAtGoogleKeyFile,
  missingOverrides,
  modeOf,
  readPackage,
} from "./look-at-files";

const root = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "data-"));
});
afterAll(() => rmSync(root, { recursive: true }));

it("names each file of the data folder that others may open, and the folder others may write to (C34)", async () => {
  writeFileSync(join(folder, "frontdesk.db"), "", { mode: 0o600 });
  const { free, ...closed } = await lookAtDataFolder(folder);
  expect(closed).toMatchObject({ path: folder, openToOthers: [] });
  expect(free).toBeGreaterThan(0);
  writeFileSync(join(folder, "frontdesk.db-wal"), "", { mode: 0o644 });
  const open = join(folder, "open");
  mkdirSync(open, { mode: 0o755 });
  expect((await lookAtDataFolder(folder)).openToOthers).toEqual([
    { path: join(folder, "frontdesk.db-wal"), mode: 0o644 },
    { path: open, mode: 0o755 },
  ]);
  expect((await lookAtDataFolder(open)).openToOthers).toEqual([]);
});

it("a data folder on a network file system is not looked into (C34, R23)", async () => {
  writeFileSync(join(folder, "frontdesk.db"), "", { mode: 0o644 });
  const nothing = { openToOthers: undefined, free: undefined };
  expect(await lookAtDataFolder(folder, "nfs4")).toEqual({ path: folder, fileSystem: "nfs4", ...nothing });
});

it("finds the newest whole backup, and none that is unfinished (C34)", async () => {
  const take = (name: string, at?: number) => {
    mkdirSync(join(folder, name));
    if (at === undefined) return;
    const manifest = { backup: 1, version: "0.1.0", dialect: "sqlite", at, files: {} };
    writeFileSync(join(folder, name, "backup.json"), JSON.stringify(manifest));
  };
  const look = () => lookAtBackups(folder, root, { NODE_ENV: "test", PATH: folder });
  expect(await look()).toEqual({ folder, newestAt: undefined, isOnSameDisk: true, hasTools: false });
  take("frontdesk-20261120T020000Z", 1);
  take("frontdesk-20261121T020000Z", 2);
  take("frontdesk-20261122T020000Z");
  take("frontdesk-20261122T030000Z.unfinished", 3);
  expect((await look()).newestAt).toBe(2);
  const missing = join(folder, "missing");
  expect(await lookAtBackups(missing, root, { NODE_ENV: "test" })).toMatchObject({
    newestAt: undefined,
    isOnSameDisk: undefined,
  });
});

it("the key file of Google is looked into, and a missing one is said to be missing (C34)", async () => {
  const path = join(folder, "google.json");
  expect(await lookAtGoogleKeyFile(path)).toBeUndefined();
  expect(await modeOf(path)).toBeUndefined();
  writeFileSync(path, "{}", { mode: 0o640 });
  expect(await lookAtGoogleKeyFile(path)).toEqual({ mode: 0o640, isServiceAccount: false });
});

it("the lockfile of this product follows its overrides, and pins a Node (C34)", () => {
  expect(readPackage(".")).toEqual({ pinnedNode: "24.21.0", overridesMissing: [] });
});

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
])("an override whose package %s is told right (C34)", (_, overrides, versions, missing) => {
  const packages = Object.fromEntries(Object.entries(versions).map(([path, version]) => [path, { version }]));
  expect(missingOverrides(overrides, packages)).toEqual(missing);
});
