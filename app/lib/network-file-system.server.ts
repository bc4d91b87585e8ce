import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where another machine, or a program, keeps the files: SQLite's WAL does not work there (https://sqlite.org/wal.html). */
const NETWORK = /^(?:nfs\d*|cifs|smb\w*|ncpfs|afs|9p|ceph|lustre|gfs2?|ocfs2|fuse(?:blk)?(?:\..+)?)$/;

/** By the kernel's name of a file system, such as "ext4" or "fuse.sshfs". */
export const isNetworkFileSystem = (name: string): boolean => NETWORK.test(name);

/**
 * The kernel's name of the file system a path lies on, also of one that is not there yet. A network file system is told by the
 * path as it is written, before anything on it is asked: one whose server is away would not answer.
 * @param mounts the table of proc_pid_mountinfo(5).
 * @returns undefined where there is no such table.
 */
export function fileSystemOf(path: string, mounts = mountTable()): string | undefined {
  const written = mountOf(resolve(path), mounts);
  if (written !== undefined && isNetworkFileSystem(written)) return written;
  return mountOf(existingPath(resolve(path)), mounts);
}

function mountOf(place: string, mounts: string): string | undefined {
  let found: { point: string; name: string } | undefined;
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = unescaped(before.split(" ")[4] ?? "");
    const [name = ""] = after.split(" ");
    if (name === "" || !isWithin(place, point)) continue;
    // Of those on the same point the last one hides the others.
    if (!found || point.length >= found.point.length) found = { point, name };
  }
  return found?.name;
}

/** The path without symbolic links, as far as it can be followed. */
function existingPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(existingPath(above), basename(path));
  }
}

const isWithin = (path: string, point: string): boolean =>
  point === "/" || path === point || path.startsWith(`${point}/`);

/** Blanks and backslashes stand in the table as three octal digits. */
const unescaped = (point: string): string =>
  point.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));

function mountTable(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}
