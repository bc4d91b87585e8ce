import { setTimeout as pause } from "node:timers/promises";
import type { Database, Read } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { ServiceDeps } from "~/services/service-deps";
import { reindexSubmissions } from "~/services/search/search-index.server";
import { refreshPeople } from "./people-rows.server";

/** Submissions per transaction: some 40 ms of the single writer. */
const CHUNK = 100;
/** What the migration stores before the first piece. Compared here alone: not every collation sorts it after all ids. */
const NONE_YET = "~";
/** Pause after a failure, such as a database that is away. */
const RETRY_MS = seconds(5);

interface Log {
  warn(details: object, message: string): void;
}

/** Returns whether everybody has their row, and the document that this version writes of them. */
export async function isFilled(read: Read): Promise<boolean> {
  const fill = await read.selectFrom("people_fill").select("finished_at").executeTakeFirstOrThrow();
  return fill.finished_at !== null;
}

/**
 * Adds the people behind the submissions of an earlier version, and the search words of both: the newest first, in pieces,
 * while the server serves. After each piece it waits as long as the piece took. Where it stopped is stored with the piece,
 * so that a restart goes on there, and instances take turns.
 */
export class PeopleFill {
  readonly #database: Database;
  readonly #clock: ServiceDeps["clock"];
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #retryMs: number;
  #work = Promise.resolve();

  /** @param deps.retryMs pause after a failure; tests wait less. */
  constructor(deps: Pick<ServiceDeps, "database" | "clock"> & { log: Log; retryMs?: number }) {
    const { database, clock, log, retryMs = RETRY_MS } = deps;
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#retryMs = retryMs;
  }

  start(): void {
    this.#work = this.run().catch(() => undefined);
  }

  /** Resolves when the piece in progress is stored. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
  }

  /** Resolves when everybody is added. @throws when it is stopped before. */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; ;) {
      const began = performance.now();
      try {
        signal.throwIfAborted();
        if ((await isFilled(this.#database.read)) || (await this.#addPiece())) return;
        failures = 0;
        await pause(performance.now() - began, undefined, { signal });
      } catch (err) {
        signal.throwIfAborted();
        if (failures === 0) this.#log.warn({ err }, "adding people failed, and is tried again");
        failures += 1;
        await pause(this.#retryMs, undefined, { signal });
      }
    }
  }

  /** @returns whether everybody is added. */
  #addPiece(): Promise<boolean> {
    return this.#database.write(async (trx) => {
      const fill = await trx.selectFrom("people_fill").selectAll().forUpdate().executeTakeFirstOrThrow();
      if (fill.finished_at !== null) return true;
      const submissions = await trx
        .selectFrom("submissions")
        .select(["id", "kind", "state", "name", "email", "email_key", "company", "message"])
        .$if(fill.last_submission !== NONE_YET, (query) => query.where("id", "<", fill.last_submission))
        .orderBy("id", "desc")
        .limit(CHUNK)
        // An erasure of one of these waits, and then finds the person too.
        .forUpdate()
        .execute();
      const accepted = submissions.filter(({ state }) => state === "accepted");
      await reindexSubmissions(trx, accepted);
      await refreshPeople(trx, submissions);
      const last_submission = submissions.at(-1)?.id ?? fill.last_submission;
      const finished_at = submissions.length < CHUNK ? this.#clock() : null;
      await trx.updateTable("people_fill").set({ last_submission, finished_at }).execute();
      return finished_at !== null;
    });
  }
}
