import { beginDue } from "./beginning.server";
import { deliver } from "./deliver";
import { givenBack, wasTried, withheld } from "./ending";
import type { Ending } from "./ending";
import { freezeChunk } from "./freeze.server";
import type { Claimed } from "./ledger.server";
import { IDLE_MS, LedgerRounds } from "./ledger-rounds.server";
import { Outages } from "./outages";
import type { Letter, SendingOptions } from "./sending-options";
import { isAsleep, openSends, readLetters } from "./sends.server";
import type { OpenSend } from "./sends.server";
import { settle } from "./settle.server";
import { takeBack } from "./take-back.server";
import { takeTurn } from "./turn.server";
import { windUpChunk } from "./wind-up.server";

/** The work of outreach's dispatcher: mails of confirmed sends, within rate and daily allowance. */
export class OutreachRounds extends LedgerRounds<Claimed, Ending, OpenSend> {
  readonly #has: SendingOptions;
  readonly #outages = new Outages();
  readonly #letters = new Map<string, Letter>();
  #servedLast = "";

  constructor(options: SendingOptions, onEnding: () => void) {
    super("deliveries", options, onEnding);
    this.#has = options;
  }

  protected override takeBack(whose: { held: readonly string[]; earlierLives: boolean }): Promise<void> {
    return takeBack({ ...this.#has, holder: this.holder }, whose);
  }

  protected override async recordAndBegin(): Promise<{ open: readonly OpenSend[]; waitMs: number }> {
    const { database, clock, newId, allowance } = this.#has;
    const now = clock();
    if (this.rows.ended.length === 0) {
      const isAwake = async () => (await openSends(database.read)).some((send) => !isAsleep(send, now));
      const mayBegin = !this.stopping && (await isAwake());
      if (!mayBegin) return { open: [], waitMs: IDLE_MS };
    }
    const { group, open, rated, rows } = await database.write(async (trx) => {
      const group = [...this.rows.ended];
      const untried = group.filter(({ row, ending }) => !wasTried(row, ending));
      // The day comes first: who waits for it holds no send another instance may need.
      await allowance.giveBack(
        trx,
        untried.map(({ row }) => row.updated_at),
      );
      const allowed = await allowance.left(trx, database.dialect, now);
      const settled = await settle(trx, { ...this.holder, newId, outages: this.#outages, now }, group);
      const open = this.stopping ? settled : await beginDue(trx, settled, now);
      const rated = this.rated(group.length, now);
      const limit = Math.min(rated, allowed);
      const rows = await takeTurn(trx, this.holder, open, { limit, servedLast: this.#servedLast, now });
      await allowance.count(trx, rows.length, now);
      await readLetters(trx, this.#letters, rows);
      return { group, open, rated, rows };
    });
    this.rows.recorded(group.length);
    for (const row of rows) this.#begin(row);
    this.#servedLast = rows.at(-1)?.send_id ?? this.#servedLast;
    if (this.idle) this.#letters.clear();
    return { open, waitMs: this.waitAfter(rows.length, rated, now) };
  }

  protected override freeze(send: OpenSend): Promise<void> {
    return freezeChunk(this.#has, send);
  }

  protected override windUp({ id }: OpenSend): Promise<boolean> {
    return windUpChunk(this.#has.database, id, this.#has.clock());
  }

  #begin(row: Claimed): void {
    this.rows.hold(row);
    const withholding = this.stopping ? givenBack(row) : withheld(row);
    if (withholding) {
      this.rows.end(row, withholding);
      return;
    }
    this.#has.rate.spend(1);
    void deliver(this.#has, this.#letters.get(row.send_id), row).then((ending) => this.rows.end(row, ending));
  }
}
