import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import { IDLE_MS } from "~/services/queue/queue.server";
import { createWorker } from "~/services/queue/worker.server";
import type { Rounds, Worker, WorkerOptions } from "~/services/queue/worker.server";
import type { ApplicationBroadcaster, ApplicationOutcome } from "./application-broadcaster";
import { targetOf } from "./audience";
import { lockBroadcast } from "./ledger.server";
import type { Broadcast } from "./ledger.server";
import { claimPart, findDuePart, findLostParts, giveUpPart, settlePart } from "./platform-part.server";
import { finishIfSettled } from "./settle.server";

export interface PlatformSending {
  readonly database: Database;
  readonly broadcaster: ApplicationBroadcaster;
  readonly appTypes: { readonly landing: string; readonly application: string };
  readonly clock: Clock;
}

/** Asks the application's backend for its part of what was confirmed, one broadcast at a time, until it is stopped. */
export function createPlatformDispatcher(options: PlatformSending & WorkerOptions): Worker {
  return createWorker("the platform's part of a broadcast", () => new PlatformRounds(options), options);
}

/** A claim is on disk before the call, and a call is made once for it: what has no ending after a crash is uncertain. */
class PlatformRounds implements Rounds {
  readonly isBatching = false;
  readonly #has: PlatformSending;
  #stopping = false;
  /** Not on disk yet. */
  #ended: { readonly id: string; readonly outcome: ApplicationOutcome } | undefined;

  constructor(has: PlatformSending) {
    this.#has = has;
  }

  beginStopping(): void {
    this.#stopping = true;
  }

  get idle(): boolean {
    return this.#ended === undefined;
  }

  get inFlight(): number {
    return this.idle ? 0 : 1;
  }

  async next(): Promise<number> {
    await this.#settle();
    if (this.#stopping) return IDLE_MS;
    await this.#giveUpLost();
    const broadcast = await this.#claim();
    if (!broadcast) return IDLE_MS;
    const { broadcaster, appTypes } = this.#has;
    const target = targetOf({ ...broadcast, tenantId: broadcast.tenant_id }, appTypes);
    this.#ended = { id: broadcast.id, outcome: await broadcaster.send(target, broadcast) };
    await this.#settle();
    return 0;
  }

  async #claim(): Promise<Broadcast | undefined> {
    const { database, clock } = this.#has;
    const id = await findDuePart(database.read, clock());
    if (id === undefined) return undefined;
    return database.write(async (trx) => {
      const broadcast = await lockBroadcast(trx, database.dialect, id);
      // Somebody may have paused it, or another instance asked, since it was found.
      const isMoving = broadcast?.state === "preparing" || broadcast?.state === "sending";
      return isMoving && (await claimPart(trx, id, clock())) ? broadcast : undefined;
    });
  }

  async #settle(): Promise<void> {
    const ended = this.#ended;
    if (!ended) return;
    const { database, clock } = this.#has;
    await database.write(async (trx) => {
      const by = { dialect: database.dialect, now: clock() };
      await lockBroadcast(trx, by.dialect, ended.id);
      await settlePart(trx, ended.id, ended.outcome, by.now);
      await finishIfSettled(trx, by, ended.id);
    });
    this.#ended = undefined;
  }

  async #giveUpLost(): Promise<void> {
    const { database, clock } = this.#has;
    const by = { dialect: database.dialect, now: clock() };
    for (const id of await findLostParts(database.read, by.now)) {
      await database.write(async (trx) => {
        await lockBroadcast(trx, by.dialect, id);
        await giveUpPart(trx, id, by.now);
        await finishIfSettled(trx, by, id);
      });
    }
  }
}
