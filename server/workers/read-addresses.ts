import { parentPort, workerData } from "node:worker_threads";
import { readAddresses } from "../../app/lib/address-list.ts";

/** Worker thread that reads one list of addresses (app/services/suppressions/suppression-list.server.ts). */
parentPort?.postMessage(readAddresses(workerData));
