import { v7 } from "uuid";
import type { Database, Write } from "~/db/database.server";
import { getSharedTime } from "~/db/shared-time.server";
import type { Environment } from "~/env.server";
import { days, hours, minutes } from "~/lib/durations";
import { between, createRandom, type Random } from "~/lib/random";
import { startOfDay } from "~/lib/utc-day";
import { composeBrand } from "~/services/composition/brand.server";
import { getOwnSecrets } from "~/services/composition/foundation.server";
import { loadSecrets } from "~/services/secrets/secrets.server";
import type { Clock, NewId } from "~/services/service-deps";

/** An arbitrary constant: the seed is the same for the same time. */
const SEED = 20_261_122;

/** The actor of most seeded actions. */
export const FIRST_ADMIN = "mara.lindqvist@example.com";

export type PastTools = Awaited<ReturnType<typeof createPastTools>>;

/** Creates what all parts of the seed share. @param now the end of the seeded period, epoch milliseconds. */
export async function createPastTools(database: Database, environment: Environment, now: number) {
  let time = now - days(PAST_DAYS);
  const clock = () => time;
  // A generator of its own: the number of ids a worker takes varies.
  const newId = createPastIds(clock, createRandom(SEED + 1));
  return {
    database,
    brand: composeBrand(environment),
    secrets: await loadSecrets(database, clock, getOwnSecrets(environment)),
    now,
    clock,
    /** Sets the clock to the time of an event, epoch milliseconds. */
    moveTo: (at: number) => void (time = at),
    newId,
    random: createRandom(SEED),
    leaseTime: getSharedTime(database.dialect),
    /** The instance that claims jobs. */
    instance: "seed",
    /** A log that discards what workers write. */
    log: { info: () => undefined, error: () => undefined },
    /** Returns the actor of most seeded actions, and the request it came with. */
    operator: () => ({ by: FIRST_ADMIN, network: "198.51.100.0", requestId: newId() }),
  };
}

/** An event of the seeded period. */
export interface PastEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly do: () => Promise<unknown>;
  /** Whether it only writes: consecutive writes may share one transaction. */
  readonly isWrite?: boolean;
}

/** The maximum of events in one transaction. */
const MAX_BATCH = 500;

/**
 * Returns the database and `together`, whose writes are one transaction: the disk is synced once, not for each of many
 * thousand rows.
 */
export function groupWrites(database: Database) {
  let joined: Write | undefined;
  return {
    database: {
      ...database,
      /** What is created meanwhile reads what it wrote. */
      get read() {
        return joined ?? database.read;
      },
      write: <T>(work: (trx: Write) => Promise<T>): Promise<T> =>
        joined ? work(joined) : database.write(work),
    } satisfies Database,

    async together(work: () => Promise<void>): Promise<void> {
      await database.write(async (trx) => {
        joined = trx;
        try {
          await work();
        } finally {
          joined = undefined;
        }
      });
    },
  };
}

/** Runs events in order of time, each with the clock at its time. */
export async function runInOrder(
  events: readonly PastEvent[],
  { moveTo }: PastTools,
  together: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const ordered = events.toSorted((a, b) => a.at - b.at);
  for (let next = 0; next < ordered.length;) {
    const rest = ordered.slice(next, next + MAX_BATCH);
    const single = rest.findIndex(({ isWrite }) => !isWrite);
    const batch = single === 0 ? rest.slice(0, 1) : rest.slice(0, single < 0 ? undefined : single);
    const work = async () => {
      for (const event of batch) {
        moveTo(event.at);
        await event.do();
      }
    };
    await (single === 0 ? work() : together(work));
    next += batch.length;
  }
}

/** Creates ids with the time of their events, the same for the same seed. */
function createPastIds(clock: Clock, random: Random): NewId {
  let seq = 0;
  return () =>
    v7({
      msecs: clock(),
      seq: ++seq,
      random: Uint8Array.from({ length: 16 }, () => between(random, 0, 255)),
    });
}

/** The length of the seeded period. */
const PAST_DAYS = 90;

/** The traffic of each hour of a day, in UTC. */
const HOURLY_TRAFFIC = [2, 1, 1, 1, 1, 2, 4, 7, 10, 11, 10, 9, 8, 10, 11, 10, 9, 8, 7, 7, 6, 5, 4, 3];
/** Announcements: days before now, and the traffic they brought. */
const ANNOUNCEMENTS = [
  [74, 9],
  [45, 5],
  [20, 12],
  [6, 7],
] as const;

/** Returns a day's traffic: it grows slowly, drops at weekends, and rises and decays after an announcement. */
function getDailyTraffic(daysAgo: number, weekday: number): number {
  const growth = 1 + (PAST_DAYS - daysAgo) / 45;
  const peaks = ANNOUNCEMENTS.filter(([day]) => daysAgo <= day).map(
    ([day, by]) => by * 0.6 ** (day - daysAgo),
  );
  const sum = growth + peaks.reduce((total, by) => total + by, 0);
  return weekday === 0 || weekday === 6 ? sum * 0.45 : sum;
}

/** Returns an hour's traffic, relative to the quietest. */
export const getHourlyTraffic = (hour: number): number => HOURLY_TRAFFIC[hour] ?? 1;

/** Returns a time in the working hours of that day, different for each day. */
export function onDay(now: number, daysAgo: number): number {
  return startOfDay(now) - days(daysAgo) + hours(8 + ((daysAgo * 5) % 9)) + minutes((daysAgo * 37) % 60);
}

/** Returns `count` times of visits in the last `period` days, in order, none of the last hour. */
export function listVisitTimes(random: Random, now: number, count: number, period = PAST_DAYS): number[] {
  const today = startOfDay(now);
  const slots = Array.from({ length: period * 24 }, (_, index) => {
    const hour = today - days(period - 1) + hours(index);
    const date = new Date(hour);
    const daysAgo = Math.round((today - startOfDay(hour)) / days(1));
    return {
      hour,
      weight: getDailyTraffic(daysAgo, date.getUTCDay()) * getHourlyTraffic(date.getUTCHours()),
    };
  }).filter(({ hour }) => hour < now - hours(1));
  const ends: number[] = [];
  for (const { weight } of slots) ends.push((ends.at(-1) ?? 0) + weight);
  const total = ends.at(-1) ?? 0;
  return Array.from({ length: count }, () => {
    const at = random() * total;
    const slot = slots[ends.findIndex((end) => end > at)];
    return (slot?.hour ?? today) + between(random, 0, hours(1) - minutes(1));
  }).toSorted((a, b) => a - b);
}
