import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { isDiskFull } from "~/db/database-problem.server";
import { freeBytes } from "~/lib/free-bytes.server";
import { pathExists } from "~/lib/path-exists.server";
import { mebibytes } from "~/lib/sizes";

/** Name of the reserve file in DATA_DIR. It contains no data. */
export const DISK_RESERVE = "disk-reserve";
const RESERVE_BYTES = mebibytes(32);
/** Free space below which a disk counts as full: SQLite needs space even to delete. */
const FULL_BYTES = mebibytes(1);

/**
 * Watches the free space in DATA_DIR (hardening R6). /readyz returns 503 while there is too little of it. A
 * file of 32 MiB is kept as a reserve: the first write that fails on a full disk removes it and is tried again, so
 * that signups are stored and an operator can delete data while somebody frees space. It is created again when there
 * is enough space.
 */
export function createDiskReserve(deps: {
  /** DATA_DIR. */
  folder: string;
  /** Bytes below which the server does not report ready; 0: never. */
  minimumFree: number;
  log: Pick<Logger, "error" | "warn">;
}) {
  const { folder, minimumFree, log } = deps;
  const path = join(folder, DISK_RESERVE);
  let checking: Promise<boolean> | undefined;
  let releasing: Promise<void> | undefined;

  async function check(): Promise<boolean> {
    // In this order: a write may release the reserve between the two.
    const exists = await pathExists(path);
    let free = await freeBytes(folder);
    if (exists && free < FULL_BYTES) {
      await release();
      free = await freeBytes(folder);
    }
    if (!exists && free >= minimumFree + RESERVE_BYTES + FULL_BYTES) {
      await createReserve(path).catch((err: unknown) =>
        log.warn({ err }, "the disk reserve could not be created"),
      );
    }
    return free >= minimumFree;
  }

  /** Removes the reserve; does nothing when there is none. */
  async function release(): Promise<void> {
    if (!(await pathExists(path))) return;
    await rm(path, { force: true });
    const free = await freeBytes(folder);
    log.error({ folder, free }, "the disk is full: the reserve was released, free some space soon");
  }

  return {
    /** Returns the free bytes on the disk of DATA_DIR. */
    free: () => freeBytes(folder),

    /** Returns the bytes that the reserve lacks: 0 while its file exists, all of it once it was released. */
    missing: async () => ((await pathExists(path)) ? 0 : RESERVE_BYTES),

    /**
     * Runs a write. When the disk is full, releases the reserve and runs it once more (hardening R50), also when
     * another write released the reserve while this one failed.
     */
    async retryWhenFull<T>(write: () => Promise<T>): Promise<T> {
      try {
        return await write();
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        await (releasing ??= release().finally(() => (releasing = undefined)));
        if ((await freeBytes(folder)) < FULL_BYTES) throw error;
        return write();
      }
    },

    /** Removes or creates the reserve as needed. @returns whether enough space is free; true when that is unknown. */
    hasSpace(): Promise<boolean> {
      return (checking ??= check()
        .catch((err: unknown) => {
          log.warn({ err }, "the free disk space is not known");
          return true;
        })
        .finally(() => (checking = undefined)));
    },
  };
}

/** Creates the reserve of random bytes: a compressing file system would store zeros in no space. */
async function createReserve(path: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  const chunk = randomBytes(mebibytes(1));
  try {
    const chunks = Array<Buffer>(RESERVE_BYTES / chunk.length).fill(chunk);
    await writeFile(unfinished, chunks, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
