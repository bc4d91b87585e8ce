import { isAbsolute, join, normalize, sep } from "node:path";

/**
 * Joins a folder and a name that comes from data, such as a row or a manifest (hardening C50).
 * @returns undefined for a name that does not lead to a file below the folder, or not in the shortest way: `../x`,
 *   `/x`, `a//x`, `./x`, `a/`, the empty name, a NUL.
 */
export function joinBelow(folder: string, name: string): string | undefined {
  const isBelow =
    name !== "" &&
    name !== "." &&
    !name.endsWith(sep) &&
    !name.includes("\0") &&
    !isAbsolute(name) &&
    normalize(name) === name;
  return isBelow && name.split(sep)[0] !== ".." ? join(folder, name) : undefined;
}
