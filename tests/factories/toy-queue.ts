import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { requeue, type ClaimedJob, type JobResult, type JobType } from "~/services/queue/job-type";
import { isDueAt } from "~/services/queue/leases.server";
import { createQueueWorker, type Lease, type QueueOptions } from "~/services/queue/queue.server";
import type { WorkerOptions } from "~/services/queue/worker.server";
import { createQueueOptions } from "./queue-options";
import { createTestClock } from "./time";

/**
 * Creates a minimal queue: a table of its own, and a job type whose deliveries end in the state of `deliver`. A job
 * "suppressed" is not delivered, and one that begins with "known" is proven to be sent after a crash.
 * @param ids ids of its jobs; a text stands for its letters.
 */
export async function createToyQueue(
  database: Database,
  ids: Iterable<string>,
  deliver: (id: string) => Promise<string>,
  order: "retries-first" | "first-tries-first" = "retries-first",
) {
  const clock = createTestClock();
  const delivered: string[] = [];
  await database.write(async (trx) => {
    await sql`
      create table toys (id text primary key, state text not null, detail text not null, attempts integer not null,
        not_before bigint not null, lease_owner text not null, lease_until bigint not null, updated_at bigint not null,
        resent_after_crash integer not null default 0)
    `.execute(trx);
    for (const id of ids) await insertDue(trx, id);
  });
  return { clock, delivered, rows, worker, add, insert, crash };

  /** Adds a due job. */
  function add(id: string, notBefore = 0): Promise<void> {
    return database.write((trx) => insertDue(trx, id, notBefore));
  }

  async function insertDue(trx: Write, id: string, notBefore = 0): Promise<void> {
    await sql`insert into toys values (${id}, 'pending', '', 0, ${notBefore}, '', 0, 0, 0)`.execute(trx);
  }

  function worker(differing: Partial<QueueOptions & WorkerOptions> = {}) {
    const options = { ...createQueueOptions(database, clock), concurrency: 3, ...differing };
    return createQueueWorker("toys", type(), options);
  }

  /**
   * Starts a worker that crashes: it claims due jobs and records results, but never wakes from a wait of a
   * second or more.
   */
  function crash(differing: Partial<QueueOptions> = {}): void {
    const setTimer: SetTimer = (ms, callback) => {
      if (ms < seconds(1)) setImmediate(callback);
      return () => undefined;
    };
    void worker({ ...differing, setTimer }).tick();
  }

  /** Inserts a toy as claimed, for `deliverNow`. */
  function insert(id: string) {
    return async (
      trx: Write,
      { state, lease_owner, lease_until }: Lease,
    ): Promise<ClaimedJob | undefined> => {
      const { rows } = await sql<ClaimedJob>`
        insert into toys values (${id}, ${state}, '', 0, 0, ${lease_owner}, ${lease_until}, 0, 0) returning *
      `.execute(trx);
      return rows[0];
    };
  }

  function type(): JobType<ClaimedJob, ClaimedJob, JobResult, undefined> {
    return {
      table: "toys",
      order,
      hasDue: async (now) => {
        const due = await sql`select id from toys where ${isDueAt(now)} limit 1`.execute(database.read);
        return due.rows.length > 0;
      },
      settle: async () => undefined,
      claim: (_trx, _due, { claimJobs, limit, now }) => claimJobs(isDueAt(now), limit),
      withhold: (job) => (job.id === "suppressed" ? { ...requeue(job), state: "skipped" } : undefined),
      deliver: async (job) => {
        delivered.push(job.id);
        const state = await deliver(job.id);
        return { state, detail: "" };
      },
      recover: async (rows) =>
        rows.map((row) => ({
          row,
          result: row.id.startsWith("known")
            ? { state: "sent", detail: "" }
            : { state: "retrying", detail: "", notBefore: clock(), isResend: true },
        })),
    };
  }

  /** Returns state, attempts and whether it was resent, by id. */
  async function rows(): Promise<Record<string, string>> {
    const found = await sql<{ id: string; state: string; attempts: number; resent_after_crash: number }>`
      select * from toys order by id
    `.execute(database.read);
    return Object.fromEntries(
      found.rows.map((row) => [
        row.id,
        `${row.state} ${row.attempts}${row.resent_after_crash === 1 ? " resent" : ""}`,
      ]),
    );
  }
}
