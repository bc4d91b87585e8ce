import { open, rename, rm, writeFile } from "node:fs/promises";

/**
 * Writes a file that is complete or absent, with access for its owner only: its content is on disk under another
 * name before it gets its own. A kill may leave that other file behind.
 * @param unfinished the other name; unique where two may write the file at once.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Buffer,
  unfinished = `${path}.tmp`,
): Promise<void> {
  await rm(unfinished, { force: true });
  try {
    await writeFile(unfinished, content, { flag: "wx", mode: 0o600, flush: true });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Writes a file's content or a folder's names to disk: a power cut must not keep only a later rename. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
