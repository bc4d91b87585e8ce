import type { LedgerOptions } from "~/services/outreach/ledger-rounds.server";
import type { PushSender } from "~/services/push/push-sender";
import { createWorker } from "~/services/worker.server";
import type { Worker, WorkerOptions } from "~/services/worker.server";
import { BroadcastRounds } from "./rounds.server";

export interface BroadcastSending extends LedgerOptions {
  readonly sender: Pick<PushSender, "name" | "send">;
  /** From 0 to 1: spreads retries. */
  readonly random: () => number;
  readonly appTypes: { readonly landing: string; readonly application: string };
}

/** Sends what was confirmed, from the ledger, until it is stopped. */
export function createBroadcastDispatcher(options: BroadcastSending & WorkerOptions): Worker {
  return createWorker("the broadcast", (wake) => new BroadcastRounds(options, wake), options);
}
