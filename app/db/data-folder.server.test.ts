import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createDataFolder } from "./data-folder.server";
import { UnusableDatabaseError } from "./unusable-database";

const NOBODY = 65_534;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

// R44
it("a missing DATA_DIR is created for its owner only, and an existing one is kept", () => {
  const path = join(folder, "new", "data");
  createDataFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  writeFileSync(join(path, "kept"), "");
  createDataFolder(path);
  expect(statSync(join(path, "kept")).size).toBe(0);
});

// R55
it.each(["file", "file/below"])("a DATA_DIR that is %s is refused with a sentence", (name) => {
  writeFileSync(join(folder, "file"), "");
  const path = join(folder, name);
  const create = () => createDataFolder(path);
  expect(create).toThrow(UnusableDatabaseError);
  expect(create).toThrow(`DATA_DIR: ${path} is not a folder: name a folder.`);
});

// R55
it("a DATA_DIR that cannot be created is refused with the user and chown", () => {
  const path = join(folder, "below");
  chmodSync(folder, 0o555);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    const uid = process.geteuid?.();
    expect(() => createDataFolder(path)).toThrow(
      `DATA_DIR: ${path} cannot be written by this process (uid ${uid}): create it if it is missing, and run chown -R ${uid} ${path}`,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
