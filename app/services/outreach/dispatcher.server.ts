import { createWorker } from "~/services/worker.server";
import type { WorkerOptions } from "~/services/worker.server";
import { OutreachRounds } from "./rounds.server";
import type { SendingOptions } from "./sending-options";

export type DispatcherOptions = SendingOptions & WorkerOptions;

/** Sends what was confirmed, from the ledger, until it is stopped. */
export function createDispatcher(options: DispatcherOptions) {
  return createWorker("outreach", (wake) => new OutreachRounds(options, wake), options);
}
