import { hostname } from "node:os";
import { expect, it } from "vitest";
import { EnvironmentError } from "~/env.server";
import { checkDataFolder, getMeasuredName } from "./foundation.server";

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

it("measurements have the name of the machine, on PostgreSQL of the instance, or of the platform", () => {
  const DATABASE_URL = "postgres://frontdesk@127.0.0.1/frontdesk";
  const machine = { DATABASE_URL: undefined, PORT: 3000, RESOURCES_DRIVER: "machine" } as const;
  expect(getMeasuredName(machine)).toBe(hostname());
  expect(getMeasuredName({ ...machine, DATABASE_URL })).toBe(`${hostname()}:3000`);
  const platform = { ...machine, RESOURCES_DRIVER: "platform" } as const;
  expect(getMeasuredName(platform)).toBe("the platform");
  expect(getMeasuredName({ ...platform, DATABASE_URL })).toBe("the platform");
});
