import { IDLE_MS, inTurn, LedgerRounds } from "~/services/outreach/ledger-rounds.server";
import { recordEndings } from "~/services/outreach/leases.server";
import type { DeviceAddress, PushMessage } from "~/services/push/push-sender";
import { targetOf } from "./audience";
import type { ClaimedPush } from "./circuit";
import { addressesOf } from "./devices-of.server";
import type { BroadcastSending } from "./dispatcher.server";
import { endingOf, givenBack, interrupted, poisoned, withoutDevice } from "./ending";
import type { Ending } from "./ending";
import { freezeChunk } from "./freeze.server";
import { claim, openBroadcasts, takeOver } from "./ledger.server";
import type { Claimed, OpenBroadcast } from "./ledger.server";
import { readMessages } from "./message.server";
import { finishIfSettled, settle } from "./settle.server";
import { windUpChunk } from "./wind-up.server";

const ORPHANS = 100;

/** The work of the broadcasts' dispatcher; what a crash repeats takes the place of its first. */
export class BroadcastRounds extends LedgerRounds<ClaimedPush, Ending, OpenBroadcast> {
  readonly #has: BroadcastSending;
  readonly #messages = new Map<string, PushMessage>();
  #servedLast = "";

  constructor(options: BroadcastSending, onEnding: () => void) {
    super("pushes", options, onEnding);
    this.#has = options;
  }

  protected override async takeBack(whose: {
    held: readonly string[];
    earlierLives: boolean;
  }): Promise<void> {
    const { database, clock } = this.#has;
    for (let taken = ORPHANS; taken === ORPHANS;) {
      taken = await database.write(async (trx) => {
        const now = clock();
        const rows = await takeOver(trx, this.holder, { ...whose, limit: ORPHANS, now });
        const group = rows.map((row) => ({ row, ending: interrupted(row, now) }));
        await recordEndings(trx, "pushes", this.holder.owner, group, now);
        return rows.length;
      });
    }
  }

  protected override async recordAndBegin(): Promise<{ open: readonly OpenBroadcast[]; waitMs: number }> {
    const { database, clock, newId } = this.#has;
    const now = clock();
    if (this.rows.ended.length === 0) {
      const isAwake = !this.stopping && (await openBroadcasts(database.read)).length > 0;
      if (!isAwake) return { open: [], waitMs: IDLE_MS };
    }
    const { count, open, rows, devices, rated } = await database.write(async (trx) => {
      const group = [...this.rows.ended];
      const open = await settle(trx, { ...this.holder, newId, now }, group);
      const rated = this.rated(group.length, now);
      const rows = await this.#takeTurn(open, rated, now, trx);
      const devices = await addressesOf(
        trx,
        rows.map(({ device_id }) => device_id),
      );
      await readMessages(trx, this.#messages, rows);
      return { count: group.length, open, rows, devices, rated };
    });
    this.rows.recorded(count);
    for (const row of rows) {
      const device = devices.get(row.device_id);
      this.#begin({ ...row, first_accepted_at: device?.first_accepted_at ?? null }, device);
    }
    this.#servedLast = rows.at(-1)?.broadcast_id ?? this.#servedLast;
    if (this.idle) this.#messages.clear();
    return { open, waitMs: this.waitAfter(rows.length, rated, now) };
  }

  /** Claims for one round, from the broadcast after the one that was served last, and ends those that are over. */
  async #takeTurn(
    open: readonly OpenBroadcast[],
    limit: number,
    now: number,
    trx: Parameters<typeof claim>[0],
  ): Promise<Claimed[]> {
    const due = open.filter(({ state }) => state !== "cancelled");
    const rows: Claimed[] = [];
    for (const { id } of inTurn(due, this.#servedLast)) {
      if (rows.length >= limit) break;
      const claimed = await claim(trx, this.holder, {
        ...{ broadcastId: id, limit: limit - rows.length, now },
      });
      if (claimed.length === 0) await finishIfSettled(trx, { ...this.holder, now }, id);
      rows.push(...claimed);
    }
    return rows;
  }

  protected override freeze(broadcast: OpenBroadcast): Promise<void> {
    const { database, clock, sender, appTypes } = this.#has;
    const target = targetOf({ ...broadcast, tenantId: broadcast.tenant_id }, appTypes);
    return freezeChunk({ database, clock, engine: sender.name }, broadcast, target);
  }

  protected override windUp({ id }: OpenBroadcast): Promise<boolean> {
    return windUpChunk(this.#has.database, id, this.#has.clock());
  }

  #begin(row: ClaimedPush, device: DeviceAddress | undefined): void {
    this.rows.hold(row);
    if (this.stopping) return this.rows.end(row, givenBack(row));
    if (!device) return this.rows.end(row, withoutDevice(row));
    this.#has.rate.spend(1);
    void this.#send(row, device).then((ending) => this.rows.end(row, ending));
  }

  /** Never throws: what cannot be sent fails alone. */
  async #send(row: Claimed, device: DeviceAddress): Promise<Ending> {
    const { sender, clock, random } = this.#has;
    try {
      const message = this.#messages.get(row.broadcast_id);
      if (!message) throw new Error("The broadcast is gone");
      return endingOf(row, await sender.send(device, message), { now: clock(), random });
    } catch (error) {
      return poisoned(row, error);
    }
  }
}
