import { sql } from "kysely";
import type { Database, Read } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import { hours, minutes, seconds } from "~/lib/durations";
import type { NewId } from "~/services/service-deps";

const INTERVAL_MS = seconds(10);
/** Age at which the record of a crashed process is removed. */
const KEEP_MS = hours(1);
/** A process seen within this time is running. */
const FRESH_MS = seconds(30);

interface BootRecordDeps {
  readonly database: Pick<Database, "read" | "write">;
  readonly leaseTime: SharedTime;
  readonly newId: NewId;
  /** Name of this process, which should be its alone. */
  readonly instance: string;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Records that this process runs, and logs once when another living process has its name: such two share settings that
 * must differ, and recover each other's work late (hardening R40).
 */
export function createBootRecord({ database, leaseTime, newId, instance, log }: BootRecordDeps) {
  const boot_id = newId();
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;
  let isReported = false;

  async function beat(): Promise<void> {
    await database.write(async (trx) => {
      const time = leaseTime.now();
      await trx
        .insertInto("instances")
        .values({ boot_id, name: instance, started_at: time, seen_at: time })
        .onConflict((conflict) => conflict.column("boot_id").doUpdateSet({ seen_at: time }))
        .execute();
      await trx
        .deleteFrom("instances")
        .where(sql<boolean>`seen_at < ${time} - ${KEEP_MS} or seen_at > ${time} + ${minutes(1)}`)
        .execute();
    });
    if (isReported || !(await hasNamesake(database.read, instance, boot_id))) return;
    isReported = true;
    log.warn({ instance }, "another process runs under the name of this one");
  }

  /** A failure shows in the workers, and the next beat repeats it. */
  const beatQuietly = () => (beating = beat().catch(() => undefined));

  return {
    beat,

    /** Records this process now and every ten seconds. */
    start(): void {
      void beatQuietly();
      timer = setInterval(beatQuietly, INTERVAL_MS).unref();
    },

    /** Removes the record. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await beating;
      await database.write((trx) => trx.deleteFrom("instances").where("boot_id", "=", boot_id).execute());
    },
  };
}

/** Returns whether a process of this name was seen after the boot started: then both were running. */
async function hasNamesake(read: Read, name: string, bootId: string): Promise<boolean> {
  const row = await read
    .selectFrom("instances as one")
    .innerJoin("instances as other", "other.name", "one.name")
    .select("one.boot_id")
    .where("one.boot_id", "=", bootId)
    .where("one.name", "=", name)
    .whereRef("other.boot_id", "!=", "one.boot_id")
    .whereRef("other.seen_at", ">", "one.started_at")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Lists the names of the processes that run at the same time: seen lately, and since the start of the latest of them,
 * unlike one that it follows after a crash. So a start hides the others until they are seen again.
 */
export async function listRunningNames(read: Read, leaseTime: SharedTime): Promise<string[]> {
  const processes = await read
    .selectFrom("instances")
    .select(["name", "started_at", "seen_at"])
    .where(sql<boolean>`seen_at between ${leaseTime.now()} - ${FRESH_MS} and ${leaseTime.now()}`)
    .orderBy("name")
    .execute();
  const latestStart = Math.max(...processes.map(({ started_at }) => started_at));
  const running = processes.filter(({ seen_at }) => seen_at >= latestStart);
  return [...new Set(running.map(({ name }) => name))];
}

/** Lists the names that two running processes share: both were seen lately, the earlier one after the later one's start. */
export async function listSharedNames(read: Read, leaseTime: SharedTime): Promise<string[]> {
  const rows = await read
    .selectFrom("instances as one")
    .innerJoin("instances as other", "other.name", "one.name")
    .select("one.name")
    .distinct()
    .whereRef("one.boot_id", "!=", "other.boot_id")
    .whereRef("one.started_at", "<=", "other.started_at")
    .whereRef("one.seen_at", ">", "other.started_at")
    .where(sql<boolean>`one.seen_at between ${leaseTime.now()} - ${FRESH_MS} and ${leaseTime.now()}`)
    .where(sql<boolean>`other.seen_at between ${leaseTime.now()} - ${FRESH_MS} and ${leaseTime.now()}`)
    .orderBy("one.name")
    .execute();
  return rows.map(({ name }) => name);
}
