import type { Logger } from "pino";
import { seconds } from "~/lib/durations";
import { within } from "~/lib/within";
import type { Clock } from "~/services/service-deps";
import type { History } from "./history.server";
import type { IncidentEvent, Incidents } from "./incidents.server";
import type { Measurement, ResourceProbe } from "./resource-probe";
import { MEETINGS_WARNING } from "./usage";

/** Interval between measurements of each instance. */
const SAMPLE_MS = seconds(10);
/** Delay of the second measurement: the first one hardly waits for Redis, which is still connecting. */
const SECOND_SAMPLE_MS = seconds(1);

/** Timeout of a measurement, such as on a disk that does not respond. */
const TIMEOUT_MS = seconds(5);
/** Timeout of a check that has a remote service measure again. */
const CHECK_TIMEOUT_MS = seconds(2);

/** Newest measurement, or the fact that it failed; the log has the reason. */
export type Latest = { readonly at: number } & (
  ({ readonly ok: true } & Measurement) | { readonly ok: false; readonly error: "not-measured" }
);

export type Resources = ReturnType<typeof createResources>;

/**
 * Creates the service for the server's resources. They are measured in the background, so that reading them
 * costs nothing; each sample is added to the history and compared with the limits of incidents.
 */
export function createResources(deps: {
  probe: ResourceProbe;
  history: History;
  incidents: Incidents;
  /** Called when an incident begins and when it ends. */
  onEvent: (event: IncidentEvent) => Promise<void>;
  clock: Clock;
  log: Pick<Logger, "error" | "warn" | "info">;
  timeoutMs?: number;
  checkTimeoutMs?: number;
}) {
  const { probe, history, incidents, clock, log } = deps;
  const { timeoutMs = TIMEOUT_MS, checkTimeoutMs = CHECK_TIMEOUT_MS } = deps;
  let latest: Latest | undefined;
  let measuring: Promise<Latest> | undefined;
  let probing: Promise<Measurement> | undefined;
  let storing: Promise<void> = Promise.resolve();
  let reporting: Promise<unknown> = Promise.resolve();
  let timers: NodeJS.Timeout[] = [];

  /** Measures; concurrent calls share one measurement. */
  function measure(): Promise<Latest> {
    return (measuring ??= measureNow().finally(() => (measuring = undefined)));
  }

  async function measureNow(): Promise<Latest> {
    const wasOk = latest?.ok ?? true;
    try {
      // A hanging measurement is awaited again rather than joined by another one.
      probing ??= probe.measure().finally(() => (probing = undefined));
      const measurement = await within(timeoutMs, probing);
      if (!measurement) throw new Error(`no measurement within ${timeoutMs} ms`);
      const at = clock();
      if (!wasOk) log.info("the server's resources are measured again");
      // Callers do not wait for the database.
      storing = storing.then(() => store(measurement, at));
      return (latest = { ok: true, ...measurement, at });
    } catch (err) {
      if (wasOk) log.error({ err }, "the server's resources could not be measured");
      return (latest = { ok: false, error: "not-measured", at: clock() });
    }
  }

  /** Stores a measurement. Never throws: a sample that cannot be stored is missing in the history. */
  async function store({ resources }: Measurement, at: number): Promise<void> {
    const [events = []] = await Promise.all([
      incidents.observe(resources, at).catch(failed("an incident could not be stored")),
      history.add(resources, at).catch(failed("a minute of the resources' history could not be stored")),
    ]);
    for (const { change, kind, peak, id } of events) {
      if (change === "began") log.warn({ incident: id, kind, value: peak }, "an incident began");
      else log.info({ incident: id, kind, peak }, "an incident is over");
    }
    reporting = reporting.then(() => Promise.all(events.map((event) => deps.onEvent(event))));
  }

  const failed = (message: string) => (err: unknown) => {
    log.warn({ err }, message);
    return undefined;
  };

  return {
    /** Returns the newest measurement; waits only for the first one. */
    latest: async (): Promise<Latest> => latest ?? measure(),

    /**
     * The specification's enhanced check (section 7): has the probe measure again, for 2 s at most, then measures
     * or waits for the measurement under way (TIMEOUT_MS). 8 or more concurrent meetings log a warning, a disconnected Redis logs an error.
     */
    async check(): Promise<Latest> {
      if (probe.check) await within(checkTimeoutMs, probe.check());
      const checked = await measure();
      if (!checked.ok) return checked;
      const { redis, meetings } = checked.resources;
      const { concurrentMeetings = 0 } = meetings ?? {};
      if (concurrentMeetings >= MEETINGS_WARNING) {
        log.warn({ concurrentMeetings }, "resource check: many meetings at once");
      }
      if (redis && !redis.isConnected) {
        log.error({ redis: redis.connectionString }, "resource check: Redis is disconnected");
      }
      return checked;
    },

    history: history.list,
    neighbours: history.neighbours,
    incidents: incidents.list,
    ownIncidents: incidents.listOwn,
    sweep: () => Promise.all([history.sweep(), incidents.sweep()]),

    /** Starts measuring in the background. */
    start(): void {
      const now = () => void measure();
      now();
      timers = [setTimeout(now, SECOND_SAMPLE_MS), setInterval(now, SAMPLE_MS)];
      for (const timer of timers) timer.unref();
    },

    /** Resolves when all measurements so far are stored and reported. */
    async settle(): Promise<void> {
      await measuring;
      await storing;
      await reporting;
    },

    /** Stops measuring and writes the pending samples. */
    async stop(): Promise<void> {
      timers.forEach(clearTimeout);
      await this.settle();
      await history.flush().catch(failed("the last minute of the resources' history could not be stored"));
      await probe.close();
    },
  };
}
