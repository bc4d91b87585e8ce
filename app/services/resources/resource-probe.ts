import type { SystemResources } from "./system-resources";

/**
 * Port that measures resources. Drivers: docs/drivers.md. Contract: tests/contracts/resource-probe.test.ts.
 *
 * Contract
 * - `measure` settles within a second and takes less than 20 ms of the event loop. It is called repeatedly, by
 *   a timer and by users, one measurement at a time.
 * - Remote services delay it little: it waits 15 ms for Redis, less than a second for the platform, and then
 *   returns the last known values; the platform's only while they are under 30 s old, otherwise it throws.
 * - Rates (CPU, network) are means: the machine's since the previous measurement, and two within a second return
 *   the same ones; the platform's as it measures them.
 * - A disconnected Redis is a value (`isConnected: false`). A Redis that is not configured is `undefined`, as what the
 *   platform does not report. Meetings may be missing with any Redis. Anything else that cannot be measured throws.
 * - Neither a value nor an error contains a user's name or a password.
 */
export interface ResourceProbe {
  /** "machine": this machine. "platform": the application's backend. */
  readonly name: string;
  measure(): Promise<Measurement>;
  /** Has a remote service measure again. Never throws. */
  check?(): Promise<void>;
  close(): Promise<void>;
}

export interface Measurement {
  readonly resources: SystemResources;
  /** Whether usage is relative to a container's limit instead of the whole machine. */
  readonly limitedTo: { readonly memory: boolean; readonly cpu: boolean };
}
