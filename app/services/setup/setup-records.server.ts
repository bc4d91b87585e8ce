import { z } from "zod";
import type { Read, Write } from "~/db/database.server";
import type { SetupRecordsTable } from "~/db/tables/setup";
import type { Environment } from "~/env.server";
import { parseJson } from "~/lib/parse-json";
import type { SetupResult } from "./setup-check";

type RecordName = SetupRecordsTable["name"];
export type SetupRecords = ReadonlyMap<RecordName, SetupRecordsTable>;

export async function readRecords(read: Read): Promise<SetupRecords> {
  const rows = await read.selectFrom("setup_records").selectAll().execute();
  return new Map(rows.map((row) => [row.name, row]));
}

/** Stores a record in the place of the earlier one of its name. */
export async function writeRecord(
  trx: Write,
  record: Pick<SetupRecordsTable, "name" | "at"> & Partial<SetupRecordsTable>,
): Promise<void> {
  const row = { settings: "", outcome: "", detail: "", took_ms: 0, ...record };
  await trx
    .insertInto("setup_records")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

export async function removeRecord(trx: Write, name: RecordName): Promise<void> {
  await trx.deleteFrom("setup_records").where("name", "=", name).execute();
}

const storedResults = z.array(
  z.object({
    name: z.string(),
    state: z.enum(["ok", "error", "warning", "not applicable"]),
    why: z.string(),
  }),
);

/** Reads the results in a record of checks; none when it was made with other settings. */
export function readResults(
  record: SetupRecordsTable | undefined,
  settings: string,
): Pick<SetupResult, "name" | "state" | "why">[] {
  if (record?.settings !== settings) return [];
  return storedResults.safeParse(parseJson(record.detail)).data ?? [];
}

/** Returns the settings with which emails are sent, without secrets, as a record keeps them. */
export function getMailSettings(settings: Environment): string {
  const { MAIL_DRIVER, MAIL_FROM, SMTP_URL, PLATFORM_API_URL } = settings;
  const { GMAIL_USER, GOOGLE_APPLICATION_CREDENTIALS } = settings;
  const servers = {
    outbox: "",
    smtp: hidePassword(SMTP_URL),
    gmail: [GMAIL_USER, GOOGLE_APPLICATION_CREDENTIALS],
    platform: hidePassword(PLATFORM_API_URL),
  };
  return JSON.stringify([MAIL_DRIVER, MAIL_FROM, servers[MAIL_DRIVER]]);
}

/**
 * Returns the settings that slow checks depend on, without secrets, as a record keeps them. With PostgreSQL they leave out
 * PORT and DATA_DIR, which differ between the instances that share the record.
 */
export function getCheckedSettings(settings: Environment): string {
  const { ORIGIN, HOST, PORT, TRUST_PROXY, DATA_DIR, DATABASE_URL, REDIS_URL } = settings;
  const { GOOGLE_APPLICATION_CREDENTIALS, MIN_FREE_DISK_MB, LOG_KEEP_MB, DATABASE_POOL } = settings;
  const database = DATABASE_URL === undefined ? [PORT, DATA_DIR] : [hidePassword(DATABASE_URL)];
  const places = [ORIGIN, HOST, TRUST_PROXY, ...database, hidePassword(REDIS_URL)];
  const limits = [MIN_FREE_DISK_MB, LOG_KEEP_MB, DATABASE_POOL];
  return JSON.stringify([...places, GOOGLE_APPLICATION_CREDENTIALS, ...limits, getMailSettings(settings)]);
}

/** Returns a URL without its password; "" for none. */
function hidePassword(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return "";
  const hidden = new URL(url);
  hidden.password = "";
  // PostgreSQL's and Redis's clients take it from here as well.
  hidden.searchParams.delete("password");
  return hidden.href;
}
