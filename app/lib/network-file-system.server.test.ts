import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { getFileSystem, isNetworkFileSystem } from "./network-file-system.server";

const MOUNTS = [
  "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
  "40 27 0:40 / /srv rw,relatime shared:5 master:1 - nfs4 files:/srv rw",
  "41 40 254:1 / /srv/local rw - xfs /dev/vdb rw",
  "42 27 0:42 / /my\\040disk rw - fuse.sshfs far:/ rw",
  "43 27 0:43 / /twice rw - nfs files:/ rw",
  "44 43 0:44 / /twice rw - tmpfs tmpfs rw",
  "",
].join("\n");

// R23
it.each([
  ["/", "ext4"],
  ["/var/lib/frontdesk", "ext4"],
  ["/srv", "nfs4"],
  ["/srv/frontdesk/data", "nfs4"],
  ["/srv-of-ours", "ext4"],
  ["/srv/local/data", "xfs"],
  ["/my disk/data", "fuse.sshfs"],
  ["/twice/data", "tmpfs"],
])("%s is on %s", (path, name) => {
  expect(getFileSystem(path, MOUNTS)).toBe(name);
});

// R23
it("symbolic links are resolved", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "far"));
  symlinkSync(join(folder, "far"), join(folder, "near"));
  const mounts = `${MOUNTS}50 27 0:50 / ${realpathSync(folder)}/far rw - nfs4 files:/ rw`;
  expect(getFileSystem(join(folder, "near", "data"), mounts)).toBe("nfs4");
  expect(getFileSystem(join(folder, "data"), mounts)).toBe("ext4");
});

// R23
it("the file system is undefined without the kernel's table", () => {
  expect(getFileSystem("/srv", "")).toBeUndefined();
});

// R23
it("network file systems are recognised by name, local ones are not", () => {
  const network = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "fuse", "fuseblk", "fuse.sshfs"];
  expect(network.filter((name) => !isNetworkFileSystem(name))).toEqual([]);
  const local = ["ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "apfs", "fusectl", "nfsd"];
  expect(local.filter(isNetworkFileSystem)).toEqual([]);
});
