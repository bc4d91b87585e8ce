import { seconds } from "~/lib/durations";
import { within } from "~/lib/within";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import { systemResources } from "~/services/resources/system-resources";

/** Wait for the platform, within the second of the port's contract. */
const WAIT_MS = 800;
/** Time for which the last values of a slow platform are returned. */
const STALE_MS = seconds(30);

interface WarningLog {
  warn(fields: object, message: string): void;
}

/** Reads the resources of the application's backend, as it measures them itself. */
export class PlatformProbe implements ResourceProbe {
  readonly name = "platform";
  readonly #client: PlatformClient;
  readonly #log: WarningLog;
  readonly #elapsed: () => number;
  readonly #reportedMissing = new Set<string>();
  #pending: Promise<Measurement> | undefined;
  #last: { readonly measurement: Measurement; readonly at: number } | undefined;

  constructor(deps: { client: PlatformClient; log: WarningLog; elapsed?: () => number }) {
    this.#client = deps.client;
    this.#log = deps.log;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
  }

  /** Waits briefly for a slow platform; the request continues for the next caller. */
  async measure(): Promise<Measurement> {
    this.#pending ??= this.#fetch().finally(() => (this.#pending = undefined));
    const measurement = await within(WAIT_MS, this.#pending);
    if (measurement) return measurement;
    if (this.#last && this.#elapsed() - this.#last.at < STALE_MS) return this.#last.measurement;
    throw new Error(`The platform did not report its resources within ${WAIT_MS} ms`);
  }

  async check(): Promise<void> {
    const path = "/api/resourcemonitor/check";
    await this.#client
      .send({ operation: "check the resources", method: "POST", path })
      .catch((err: unknown) => this.#log.warn({ err }, "the platform's resource check failed"));
  }

  /** Leaves the client open: it is shared. */
  async close(): Promise<void> {}

  async #fetch(): Promise<Measurement> {
    const path = "/api/resourcemonitor/resources";
    const call = { operation: "read the resources", method: "GET", path } as const;
    const resources = await this.#client.request(call, systemResources);
    this.#warnMissing("redis", resources.redis);
    this.#warnMissing("meetings", resources.meetings);
    const measurement = { resources, limitedTo: { memory: false, cpu: false } };
    this.#last = { measurement, at: this.#elapsed() };
    return measurement;
  }

  /** Warns once per outage that a part is missing; its card is hidden meanwhile (specification, section 7). */
  #warnMissing(part: "redis" | "meetings", value: object | undefined): void {
    if (value) this.#reportedMissing.delete(part);
    else if (!this.#reportedMissing.has(part)) {
      this.#reportedMissing.add(part);
      this.#log.warn({ part }, "the platform does not report some of its resources");
    }
  }
}
