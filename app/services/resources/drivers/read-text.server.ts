import { readFile } from "node:fs/promises";

/** Reads a file of the kernel; undefined where there is none. */
export const readText = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch(() => undefined);
