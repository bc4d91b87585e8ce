import { expect, it } from "vitest";
import { EnvironmentError } from "~/env.server";
import { checkDataFolder } from "./foundation.server";

const DATA_DIR = "/srv/data";

// R23
it.each(["nfs4", "cifs", "fuse.sshfs"])("SQLite is not opened on %s, and the error says why", (name) => {
  const start = () => checkDataFolder({ DATA_DIR }, () => name);
  expect(start).toThrow(EnvironmentError);
  expect(start).toThrow(`DATA_DIR: /srv/data is on ${name}, a network file system`);
});

// R23
it("SQLite is opened on a disk, and on an unknown file system", () => {
  expect(() => checkDataFolder({ DATA_DIR }, () => "ext4")).not.toThrow();
  expect(() => checkDataFolder({ DATA_DIR }, () => undefined)).not.toThrow();
});

// R23
it("with PostgreSQL the folder may be on any file system", () => {
  const DATABASE_URL = "postgres://frontdesk@127.0.0.1/frontdesk";
  expect(() => checkDataFolder({ DATA_DIR, DATABASE_URL }, () => "nfs4")).not.toThrow();
});
