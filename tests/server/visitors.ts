import SqliteFile from "better-sqlite3";
import { join } from "node:path";
import { seconds } from "~/lib/durations";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { administer } from "../databases";
import { formPost, type ServerProcess } from "../server-process";
import { findForm, getValue } from "./form-html";

/** Settings with which a server trusts the address that `someone()` gives. */
export const BEHIND_A_PROXY = { TRUST_PROXY: "1" };

let visitors = 0;
/** Creates the headers of a new visitor from a network of their own, whom no limit counts with others. */
export function someone(): Record<string, string> {
  visitors += 1;
  return { "X-Forwarded-For": `${10 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}.1` };
}

/** Creates the stamp of a form that is old enough for a person, with the server's key. Valid for a day. */
export async function stampOfAPerson(server: ServerProcess): Promise<string> {
  return createFormStamps(await readFormSecret(server)).create(Date.now() - seconds(5));
}

/** Reads the key that the server generated for its forms; one from the environment is in no database. */
export async function readFormSecret(server: ServerProcess): Promise<string> {
  const select = "select value from secrets where name = 'form'";
  const rows = server.databaseUrl ? await administer(server.databaseUrl, select) : readRows(server, select);
  return String(rows[0]?.value);
}

/** Returns the stamp of a form that was just rendered. */
export async function freshStamp(server: ServerProcess): Promise<string> {
  const html = await (await server.fetch("/early-access")).text();
  return getValue(findForm(html, "/early-access"), "stamp");
}

/** Valid values of each form. */
const VALUES = {
  "/early-access": { name: "Ada Byron", email: "ada@example.com", company: "", role: "" },
  "/updates": { name: "Ada Byron", email: "ada@example.com" },
  "/contact": {
    fullName: "Ada Byron",
    email: "ada@example.com",
    inquiryType: "general",
    message: "May I see it?",
  },
} as const;

export type FormPath = keyof typeof VALUES;
export const FORM_PATHS = Object.keys(VALUES) as FormPath[];

/** Returns the address of a form's success message. */
export const getThanksPath = (path: FormPath): string =>
  `${path}?notice=registered${path === "/contact" ? "#contact" : ""}`;

/** Posts a form as its page does, with overrides; by default a person does, from a network of their own. */
export async function submit(
  server: ServerProcess,
  path: FormPath,
  fields: Record<string, string> = {},
  headers = someone(),
): Promise<Response> {
  const stamp = fields.stamp ?? (await stampOfAPerson(server));
  return server.fetch(path, formPost({ ...VALUES[path], website: "", stamp, ...fields }, headers));
}

export const signUp = (server: ServerProcess, fields?: Record<string, string>, headers = someone()) =>
  submit(server, "/early-access", fields, headers);

export const SIGNED_UP = getThanksPath("/early-access");

/** Queries the database file while the server runs. */
export function readRows(
  server: ServerProcess,
  query: string,
  ...values: unknown[]
): Record<string, unknown>[] {
  const file = new SqliteFile(databaseFile(server), { readonly: true });
  try {
    return file.prepare<unknown[], Record<string, unknown>>(query).all(...values);
  } finally {
    file.close();
  }
}

/** Dumps every row of every table as one text to compare. */
export function dumpDatabase(server: ServerProcess): string {
  // The log and the resource samples grow by themselves, and a running server renews its rows of instances and probe.
  // A look at submissions is recorded as a visit, and pages opened from elsewhere are counted each minute.
  const tables = readRows(
    server,
    "select name from sqlite_master where type = 'table' and name not like 'log!_%' escape '!' and name not like 'resource!_%' escape '!' and name not in ('instances', 'probe', 'visits', 'landing_visits') order by name",
  );
  return JSON.stringify(
    tables.map(({ name }) => [
      name,
      readRows(server, `select * from "${String(name)}"`)
        .map((row) => JSON.stringify(row))
        // The server records its sweeps every minute, and asks every 5 s whether it can write.
        .filter((row) => !/^{"key":"(?:sweep:|probe")/.test(row))
        .sort(),
    ]),
    null,
    1,
  );
}

/** Executes statements on the database file while the server runs; only one statement may have values. */
export function execute(server: ServerProcess, statements: string, ...values: unknown[]): void {
  const file = new SqliteFile(databaseFile(server), { timeout: 5000 });
  if (values.length > 0) file.prepare(statements).run(...values);
  else file.exec(statements);
  file.close();
}

export const dropTable = (server: ServerProcess, table: string) =>
  execute(server, `pragma foreign_keys = off; drop table ${table}`);

/** Does the work while a table is missing, and puts the table back. */
export async function withoutTable<Result>(
  server: ServerProcess,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // References keep the old name.
  const rename = (from: string, to: string) =>
    execute(server, `pragma legacy_alter_table = on; alter table ${from} rename to ${to}`);
  rename(table, "away");
  try {
    return await work();
  } finally {
    rename("away", table);
  }
}

export function databaseFile(server: ServerProcess): string {
  return join(server.dataDir, "frontdesk.db");
}

/** Parses the log so far; lines that are not JSON are left out. */
export function logLines(server: ServerProcess): Record<string, unknown>[] {
  return server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns the value that this share of the values, 0 to 1, does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
