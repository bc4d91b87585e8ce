import { readFileSync } from "node:fs";
import { fail, openSettingsDatabase, readSettings } from "./command.ts";

/** npm run tenants -- import FILE.csv (docs/operations.md). The server may be running. */
const { newId } = await import("../app/services/service-deps.ts");
const { importTenants } = await import("../app/services/tenants/import-tenants.server.ts");
type Problem = Extract<Awaited<ReturnType<typeof importTenants>>, { ok: false }>;

const PROBLEMS: Record<Problem["problem"], string> = {
  "no-header": "the first line must name the columns: id,name,domain",
  "no-id": "the id is missing",
  "no-name": "the name is missing",
  "too-long": "the id may have at most 100 characters, the name 200, the domain 253",
  twice: "this id is already on an earlier line",
  encoding: "this is not UTF-8 or UTF-16: save the file as UTF-8",
  "open-quote": "a quote that begins here is never closed",
};

const [command, path] = process.argv.slice(2);
if (command !== "import" || path === undefined) fail("Usage: npm run tenants -- import FILE.csv");
const file = read(path);
const environment = readSettings();
const database = await openSettingsDatabase(environment);
const outcome = await importTenants({ database, clock: Date.now, newId }, file);
await database.close();
if (outcome.ok) console.info(`${outcome.count} companies are up to date. None was removed.`);
else {
  const line = "line" in outcome ? `, line ${outcome.line}` : "";
  fail(`${path}${line}: ${PROBLEMS[outcome.problem]}. Nothing was imported.`);
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    fail(`${path} cannot be read. Nothing was imported.`);
  }
}
