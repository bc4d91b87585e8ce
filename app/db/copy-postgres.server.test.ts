import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dumpPostgres } from "./copy-postgres.server";

it.each([
  ["the URL's", "postgres://desk:of%20the%20url@db.example/desk", "of the url"],
  ["the environment's, where the URL has none", "postgres://desk@db.example/desk", "of the environment"],
])("PostgreSQL's programs get a password: %s", async (_, url, password) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-tools-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [tool, seen] = [join(folder, "pg_dump"), join(folder, "seen")];
  writeFileSync(tool, `#!/bin/sh\nprintf %s "$PGPASSWORD" > "${seen}"\n`);
  chmodSync(tool, 0o755);
  const environment = { NODE_ENV: "test", PATH: folder, PGPASSWORD: "of the environment" } as const;
  await dumpPostgres({ url, environment }, join(folder, "dump"));
  expect(readFileSync(seen, "utf8")).toBe(password);
});
