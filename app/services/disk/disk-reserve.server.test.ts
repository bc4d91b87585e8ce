import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { mebibytes } from "~/lib/sizes";
import { createDiskReserve, DISK_RESERVE } from "./disk-reserve.server";

let folder: string;
const log = { error: vi.fn(), warn: vi.fn() };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  log.error.mockClear();
  writeFileSync(join(folder, DISK_RESERVE), "");
});
const create = () => createDiskReserve({ folder, minimumFree: 0, log });
const hasReserve = () => existsSync(join(folder, DISK_RESERVE));

/** A write that fails with these codes, one each time, and then succeeds. */
function failWith(...codes: string[]) {
  let attempts = 0;
  const write = async () => {
    const code = codes[attempts];
    attempts += 1;
    if (code !== undefined) throw Object.assign(new Error(`failed: ${code}`), { code });
    return attempts;
  };
  return { write, getAttempts: () => attempts };
}

// R50
it.each(["SQLITE_FULL", "ENOSPC"])(
  "a write that fails with %s releases the reserve and runs again",
  async (code) => {
    const disk = create();
    expect(await disk.missing()).toBe(0);
    expect(await disk.retryWhenFull(failWith(code).write)).toBe(2);
    expect(hasReserve()).toBe(false);
    expect(await disk.missing()).toBe(mebibytes(32));
    expect(log.error).toHaveBeenCalledOnce();
    // Released by another write, or by the check of the space.
    expect(await disk.retryWhenFull(failWith(code).write)).toBe(2);
    expect(log.error).toHaveBeenCalledOnce();
  },
);

// R50
it("a write that fails twice is not tried a third time", async () => {
  const { write, getAttempts } = failWith("ENOSPC", "ENOSPC");
  await expect(create().retryWhenFull(write)).rejects.toThrow("failed: ENOSPC");
  expect(getAttempts()).toBe(2);
});

// R50
it("another error is passed on, and the reserve is kept", async () => {
  const { write, getAttempts } = failWith("SQLITE_BUSY");
  await expect(create().retryWhenFull(write)).rejects.toThrow("failed: SQLITE_BUSY");
  expect([getAttempts(), hasReserve()]).toEqual([1, true]);
});
