import type { SystemResources } from "./system-resources";

/**
 * The port that measures. Drivers: docs/drivers.md. Contract: tests/contracts/resource-probe.test.ts.
 *
 * Contract
 * - `measure` settles within a second and takes less than 20 ms of the event loop. It is asked again and again, by a timer
 *   and by people, one measurement at a time.
 * - What is far away never holds it up: Redis for 15 ms, the platform for less than a second; then it says what was known last.
 * - Rates (CPU, network) are means since the measurement before; two within a second have the same ones.
 * - Redis that is away is a value (`isConnected: false`), and then meetings may be missing. Redis that is not set up is
 *   `undefined`. What cannot be measured at all throws.
 * - Neither a value nor an error holds a user's name or a password.
 */
export interface ResourceProbe {
  /** "machine": this one. "platform": the application's. */
  readonly name: string;
  measure(): Promise<Measurement>;
  /** Where somebody else measures: has them measure again. Never throws. */
  check?(): Promise<void>;
  /** Ends connections. */
  close(): Promise<void>;
}

export interface Measurement {
  readonly resources: SystemResources;
  /** What is measured against a container's limit instead of the whole machine. */
  readonly limitedTo: { readonly memory: boolean; readonly cpu: boolean };
}
