import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * In memory where there is a gigabyte free: a commit on a disk waits some ms for the sync. Benches set the variable,
 * because they measure databases on a disk.
 */
const FOLDERS = !process.env.TEST_FOLDERS_ON_DISK && hasMemoryFolder("/dev/shm") ? "/dev/shm" : tmpdir();

/** Creates an empty folder of a test's own. */
export function temporaryFolder(): string {
  return mkdtempSync(join(FOLDERS, "frontdesk-test-"));
}

function hasMemoryFolder(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= 2 ** 30;
  } catch {
    return false;
  }
}
