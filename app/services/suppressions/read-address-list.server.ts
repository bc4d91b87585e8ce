import { readAddresses } from "~/lib/address-list";
import type { AddressList } from "~/lib/address-list";
import { runInWorker } from "~/lib/run-in-worker.server";

/** In UTF-16 units: what takes a few milliseconds. */
const LONGEST_READ_HERE = 65_536;

/** Reads addresses from texts (app/lib/address-list.ts), long ones in a thread of their own (hardening C37). */
export async function readAddressList(texts: readonly string[]): Promise<AddressList> {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > LONGEST_READ_HERE ? runInWorker("read-addresses", texts) : readAddresses(texts);
}
