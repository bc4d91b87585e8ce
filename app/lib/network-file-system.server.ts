import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** File systems of another machine or a program: SQLite's WAL does not work there (https://sqlite.org/wal.html). */
const NETWORK = /^(?:nfs\d*|cifs|smb\w*|ncpfs|afs|9p|ceph|lustre|gfs2?|ocfs2|fuse(?:blk)?(?:\..+)?)$/;

/** Returns whether the kernel's name of a file system, such as "fuse.sshfs", is that of a network file system. */
export const isNetworkFileSystem = (name: string): boolean => NETWORK.test(name);

/**
 * Returns the kernel's name of a path's file system, undefined where there is no table of mounts. The path need
 * not exist. As written it is checked first: a network file system whose server is down would not answer.
 * @param mounts the table of proc_pid_mountinfo(5).
 */
export function getFileSystem(path: string, mounts = readMounts()): string | undefined {
  const written = findMount(resolve(path), mounts);
  if (written !== undefined && isNetworkFileSystem(written)) return written;
  return findMount(resolveExisting(resolve(path)), mounts);
}

function findMount(place: string, mounts: string): string | undefined {
  let found: { point: string; name: string } | undefined;
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = unescapePath(before.split(" ")[4] ?? "");
    const [name = ""] = after.split(" ");
    if (name === "" || !isWithin(place, point)) continue;
    // The last mount on a point hides the others.
    if (!found || point.length >= found.point.length) found = { point, name };
  }
  return found?.name;
}

/** Resolves symbolic links of the existing part of the path. */
function resolveExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveExisting(above), basename(path));
  }
}

const isWithin = (path: string, point: string): boolean =>
  point === "/" || path === point || path.startsWith(`${point}/`);

/** Decodes blanks and backslashes, which the table escapes as three octal digits. */
const unescapePath = (point: string): string =>
  point.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));

function readMounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}
