import type { Read } from "~/db/database.server";
import { countUpTo } from "~/db/rows";
import { countOpenRows, UNWRITTEN_STATES } from "~/services/mirrors/mirror-rows.server";
import { IS_DUE } from "~/services/queue/leases.server";
import { UNFINISHED_STATES } from "~/services/queue/life-cycle";

/** Counting limit for tables without stored counts, so that a scrape has a bounded cost. */
const COUNT_LIMIT = 10_000;
/** Counting limit for devices, whose narrow index allows more: 100,000 take 5 ms on SQLite. */
const DEVICE_COUNT_LIMIT = 100_000;
/** Counting limit for the rows of each mirror. */
const MIRROR_COUNT_LIMIT = 20_000;
/** Number of newest incidents searched for open ones. */
const INCIDENT_SCAN_LIMIT = 1000;

/** States of deliveries that are not settled. */
const WAITING_STATES = ["pending", "retrying", "claimed"] as const;

export type DatabaseFigures = Awaited<ReturnType<typeof readDatabaseFigures>>;

/** Reads figures of the database, the same for all instances: stored counts, and small counts computed. */
export async function readDatabaseFigures(read: Read) {
  const [submissions, campaigns, broadcasts, emails, ignoredLines, incidents, sheets] = await Promise.all([
    read.selectFrom("submission_counts").select(["kind", "state", "count"]).execute(),
    countActive(read, "campaigns"),
    countActive(read, "broadcasts"),
    countWaitingEmails(read),
    getIgnoredLines(read),
    countOpenIncidents(read),
    listMirrorSheets(read),
  ]);
  const [devices, pushes, confirmations, automatic] = await Promise.all([
    countUpTo(DEVICE_COUNT_LIMIT, read, read.selectFrom("devices").select("kind")),
    countWaitingPushes(read),
    countWaitingConfirmations(read),
    countWaitingAutomatic(read),
  ]);
  const waiting = { emails, confirmations, automatic, pushes };
  return { submissions, campaigns, broadcasts, devices, incidents, ignoredLines, sheets, waiting };
}

function countActive(read: Read, table: "campaigns" | "broadcasts") {
  return read
    .selectFrom(table)
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("state", "in", UNFINISHED_STATES)
    .groupBy("state")
    .execute();
}

async function countWaitingEmails(read: Read): Promise<number> {
  const { emails } = await read
    .selectFrom("delivery_counts")
    .innerJoin("campaigns", "campaigns.id", "delivery_counts.campaign_id")
    .select(({ fn }) => fn.sum<number | null>("delivery_counts.count").as("emails"))
    .where("campaigns.state", "in", UNFINISHED_STATES)
    .where("delivery_counts.state", "in", WAITING_STATES)
    .executeTakeFirstOrThrow();
  return Number(emails ?? 0);
}

function countWaitingPushes(read: Read): Promise<number> {
  const active = read.selectFrom("broadcasts").select("id").where("state", "in", UNFINISHED_STATES);
  const waiting = read
    .selectFrom("pushes")
    .select("pushes.id")
    .where("broadcast_id", "in", active)
    .where("pushes.state", "in", WAITING_STATES);
  return countUpTo(COUNT_LIMIT, read, waiting);
}

function countWaitingConfirmations(read: Read): Promise<number> {
  // IS_DUE is the condition of the partial index.
  const waiting = read
    .selectFrom("transactional_emails")
    .select("id")
    .where("kind", "=", "confirmation")
    .where(IS_DUE);
  return countUpTo(COUNT_LIMIT, read, waiting);
}

function countWaitingAutomatic(read: Read): Promise<number> {
  const waiting = read
    .selectFrom("transactional_emails")
    .select("id")
    .where("allowance_class", "=", "automatic")
    .where(IS_DUE);
  return countUpTo(COUNT_LIMIT, read, waiting);
}

/** Reads the number of ignored lines, which are all counted in one row: they have neither a time nor a level. */
async function getIgnoredLines(read: Read): Promise<number> {
  const row = await read
    .selectFrom("log_hours")
    .select("lines")
    .where("hour", "=", 0)
    .where("level", "=", "")
    .executeTakeFirst();
  return row?.lines ?? 0;
}

function countOpenIncidents(read: Read) {
  const newest = read
    .selectFrom("resource_incidents")
    .select(["kind", "ended_at"])
    .orderBy("id", "desc")
    .limit(INCIDENT_SCAN_LIMIT);
  return read
    .selectFrom(newest.as("newest"))
    .select(({ fn }) => ["kind", fn.countAll<number>().as("count")])
    .where("ended_at", "is", null)
    .groupBy("kind")
    .execute();
}

/** Lists the sheets that were ever connected to a mirror. */
async function listMirrorSheets(read: Read) {
  const sheets = await read
    .selectFrom("mirror_sheets")
    .select(["kind", "written_at", "problem"])
    .where("connected_at", "is not", null)
    .execute();
  return Promise.all(
    sheets.map(async (sheet) => ({
      ...sheet,
      waiting: await countOpenRows(read, sheet.kind, UNWRITTEN_STATES, MIRROR_COUNT_LIMIT),
    })),
  );
}
