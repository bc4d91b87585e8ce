import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { freeBytes } from "~/lib/free-bytes.server";
import { pathExists } from "~/lib/path-exists.server";
import { mebibytes } from "~/lib/sizes";

/** Its name in DATA_DIR. It holds nothing. */
export const DISK_RESERVE = "disk-reserve";
const RESERVE_BYTES = mebibytes(32);
/** Below this a disk counts as full: SQLite needs space even to delete. */
const FULL_BYTES = mebibytes(1);

/**
 * The space in DATA_DIR (hardening R6). /readyz turns 503 while there is too little of it, and a file of 32 MiB is kept
 * in reserve: on a full disk it is given up, so that signups are stored and an operator can delete while somebody makes
 * room. It is laid again when there is space enough.
 */
export function createDiskReserve(deps: {
  /** DATA_DIR. */
  folder: string;
  /** Bytes below which the server does not call itself ready; 0: never. */
  minimumFree: number;
  log: Pick<Logger, "error" | "warn">;
}) {
  const { folder, minimumFree, log } = deps;
  const path = join(folder, DISK_RESERVE);
  let checking: Promise<boolean> | undefined;

  async function check(): Promise<boolean> {
    let free = await freeBytes(folder);
    const isLaid = await pathExists(path);
    if (isLaid && free < FULL_BYTES) {
      await rm(path, { force: true });
      free = await freeBytes(folder);
      log.error({ folder, free }, "the disk is full: the reserve was released, free some space soon");
    }
    if (!isLaid && free >= minimumFree + RESERVE_BYTES + FULL_BYTES) {
      await lay(path).catch((err: unknown) => log.warn({ err }, "the disk reserve could not be created"));
    }
    return free >= minimumFree;
  }

  return {
    /** Bytes left where DATA_DIR is. */
    free: () => freeBytes(folder),

    /**
     * Gives up or lays the reserve as needed. However many ask, it looks once.
     * @returns whether enough space is free; also true where that cannot be found out.
     */
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

/** Random, because a file system that compresses would keep zeros in no space at all. */
async function lay(path: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  const piece = randomBytes(mebibytes(1));
  try {
    const file = await open(unfinished, "w", 0o600);
    try {
      for (let written = 0; written < RESERVE_BYTES; written += piece.length) await file.write(piece);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
