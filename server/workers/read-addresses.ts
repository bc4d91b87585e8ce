import { parentPort, workerData } from "node:worker_threads";
import { readAddresses } from "../../app/lib/address-list.ts";

/** Reads one list of addresses (app/services/suppressions/suppression-list.server.ts). */
parentPort?.postMessage(readAddresses(workerData));
