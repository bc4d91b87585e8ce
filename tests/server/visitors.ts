import SqliteFile from "better-sqlite3";
import { join } from "node:path";
import pg from "pg";
import { seconds } from "~/lib/durations";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { formPost, type ServerProcess } from "../server-process";

/** What the tests of the running product share: who visits it, and how to look at what that left behind. */

/** A server started with this believes the address that `someone()` gives. */
export const BEHIND_A_PROXY = { TRUST_PROXY: "1" };

let visitors = 0;
/** A visitor nobody has seen before, from a network of their own, so that no limit counts them with others. */
export function someone(): Record<string, string> {
  visitors += 1;
  return { "X-Forwarded-For": `${10 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}.1` };
}

/**
 * The stamp of a form as old as a person's: younger than two seconds it counts as a bot's. Good for a day. Signed here with the
 * server's key, which saves the two seconds.
 */
export async function stampOfAPerson(server: ServerProcess): Promise<string> {
  return createFormStamps(await formSecretOf(server)).make(Date.now() - seconds(5));
}

/** The key that the server has made for its forms; one in its environment stands in no database. */
export async function formSecretOf(server: ServerProcess): Promise<string> {
  const select = "select value from secrets where name = 'form'";
  const rows = server.databaseUrl ? await rowsAt(server.databaseUrl, select) : rowsOf(server, select);
  return String(rows[0]?.value);
}

async function rowsAt(connectionString: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

export async function freshStamp(server: ServerProcess): Promise<string> {
  const html = await (await server.fetch("/early-access")).text();
  const stamp = /name="stamp" value="([^"]+)"/.exec(html)?.[1];
  if (!stamp) throw new Error("The form has no stamp");
  return stamp;
}

/** What an honest visitor types into each form. */
const TYPED = {
  "/early-access": { name: "Ada Byron", email: "ada@example.com", company: "", role: "" },
  "/updates": { name: "Ada Byron", email: "ada@example.com" },
  "/contact": {
    fullName: "Ada Byron",
    email: "ada@example.com",
    inquiryType: "general",
    message: "May I see it?",
  },
} as const;

export type FormPath = keyof typeof TYPED;
export const FORM_PATHS = Object.keys(TYPED) as FormPath[];

/** Where a form leads that was taken. */
export const thanksOf = (path: FormPath): string =>
  `${path}?notice=registered${path === "/contact" ? "#contact" : ""}`;

/** Posts a form as its page does; give what differs. */
export function submit(
  server: ServerProcess,
  path: FormPath,
  fields: Record<string, string> & { stamp: string },
  headers: Record<string, string> = {},
): Promise<Response> {
  return server.fetch(path, formPost({ ...TYPED[path], website: "", ...fields }, headers));
}

/** Posts the early access form. */
export const signUp = (
  server: ServerProcess,
  fields: Record<string, string> & { stamp: string },
  headers: Record<string, string> = {},
): Promise<Response> => submit(server, "/early-access", fields, headers);

export const SIGNED_UP = thanksOf("/early-access");

/** What the database holds, read by another process while the product runs. */
export function rowsOf(
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

const asText = (row: object) => JSON.stringify(row);

/** When the server last swept, which it notes by itself every minute. */
const isSweep = (row: string) => row.startsWith('{"key":"sweep:');

/** Every row of every table, as one text to compare. */
export function dumpOf(server: ServerProcess): string {
  // The log is about what was asked, and the machine fares as it does: both grow by themselves.
  const tables = rowsOf(
    server,
    "select name from sqlite_master where type = 'table' and name not like 'log!_%' escape '!' and name not like 'resource!_%' escape '!' order by name",
  );
  return JSON.stringify(
    tables.map(({ name }) => [
      name,
      rowsOf(server, `select * from "${String(name)}"`)
        .map(asText)
        .filter((row) => !isSweep(row))
        .sort(),
    ]),
    null,
    1,
  );
}

/** Damages the schema from outside, as nothing in the product would. */
export function dropTable(server: ServerProcess, table: string): void {
  const file = new SqliteFile(databaseFile(server));
  file.pragma("foreign_keys = OFF");
  file.exec(`drop table ${table}`);
  file.close();
}

/** What happens while a table is not there; it is back afterwards. */
export async function withoutTable<Result>(
  server: ServerProcess,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const rename = (from: string, to: string) => {
    const file = new SqliteFile(databaseFile(server));
    // Whoever refers to it still means its old name.
    file.pragma("legacy_alter_table = ON");
    file.exec(`alter table ${from} rename to ${to}`);
    file.close();
  };
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

/** The lines of the log so far, parsed; what is no JSON is left out. */
export function logLines(server: ServerProcess): Record<string, unknown>[] {
  return server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The share of values, 0 to 1, that are at most the returned one. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** How long it takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
