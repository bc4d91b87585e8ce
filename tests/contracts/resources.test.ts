import { describe, expect, it } from "vitest";
import type { IncidentEvent } from "~/services/resources/incidents.server";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import { createResources } from "~/services/resources/resources.server";
import { createSystemResources, type Figures } from "../factories/resources";
import { createTestClock } from "../factories/time";

/** Creates the service with a probe that measures `figures`, or throws them. */
function setUp(figures: Figures | Error = {}, timeoutMs = 5000) {
  const clock = createTestClock();
  const lines: string[] = [];
  const log = (level: string) => (details: unknown, message?: string) =>
    void lines.push(`${level}: ${message ?? String(details)}`);
  const stored: number[] = [];
  const reported: string[] = [];
  const state = {
    figures,
    measured: 0,
    isClosed: false,
    events: [] as IncidentEvent[],
    delay: Promise.resolve(),
    check: async () => {},
  };
  const probe: ResourceProbe = {
    name: "scripted",
    async measure(): Promise<Measurement> {
      state.measured += 1;
      await state.delay;
      if (state.figures instanceof Error) throw state.figures;
      return { resources: createSystemResources(state.figures), limitedTo: { memory: false, cpu: false } };
    },
    check: () => state.check(),
    close: async () => void (state.isClosed = true),
  };
  const resources = createResources({
    probe,
    clock,
    timeoutMs,
    checkTimeoutMs: 20,
    onEvent: async ({ id, change }) => void reported.push(`${id} ${change}`),
    history: {
      add: async (_, at) => void stored.push(at),
      flush: async () => undefined,
      list: async () => [],
      neighbours: async () => [],
      sweep: async () => undefined,
    },
    incidents: {
      observe: async () => state.events,
      list: async () => [],
      listOwn: async () => [],
      sweep: async () => undefined,
    },
    log: { error: log("error"), warn: log("warn"), info: log("info") },
  });
  return { resources, state, clock, lines, stored, reported };
}

describe("the service of resources", () => {
  it("returns the newest measurement without measuring again", async () => {
    const { resources, state, clock, stored } = setUp({ cpu: 12 });
    const began = clock();
    await resources.check();
    clock.forward(5000);
    const latest = { ok: true, at: began, resources: { cpu: { usagePercentage: 12 } } };
    expect(await resources.latest()).toMatchObject(latest);
    expect(await resources.latest()).toMatchObject(latest);
    expect(state.measured).toBe(1);
    await resources.settle();
    expect(stored).toEqual([began]);
  });

  it("measures once for concurrent checks, and again for the next", async () => {
    const { resources, state } = setUp();
    await Promise.all([resources.check(), resources.check(), resources.latest()]);
    expect(state.measured).toBe(1);
    await resources.check();
    expect(state.measured).toBe(2);
  });

  it("says that it failed, logs that once, and goes on", async () => {
    const { resources, state, lines } = setUp(new Error("no such folder"));
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await resources.check()).toMatchObject({ ok: false, error: "not-measured" });
    }
    expect(await resources.latest()).toMatchObject({ ok: false });
    expect(lines).toEqual(["error: the server's resources could not be measured"]);
    state.figures = {};
    expect(await resources.check()).toMatchObject({ ok: true });
    expect(lines.at(-1)).toBe("info: the server's resources are measured again");
  });

  it("does not wait for a hanging measurement, and starts no second one beside it", async () => {
    const { resources, state } = setUp({}, 10);
    const { promise, resolve: proceed } = Promise.withResolvers<undefined>();
    state.delay = promise;
    for (let tries = 0; tries < 2; tries += 1) expect(await resources.check()).toMatchObject({ ok: false });
    expect(state.measured).toBe(1);
    proceed(undefined);
    await expect.poll(async () => (await resources.check()).ok).toBe(true);
  });

  it.each<[Figures, string[]]>([
    [{}, []],
    [{ redis: true, meetings: 7 }, []],
    [{ redis: true, meetings: 8 }, ["warn: resource check: many meetings at once"]],
    [{ redis: false }, ["error: resource check: Redis is disconnected"]],
    [
      { redis: false, meetings: 20 },
      ["warn: resource check: many meetings at once", "error: resource check: Redis is disconnected"],
    ],
  ])("checks %j and logs %j (specification, section 7)", async (figures, expected) => {
    const { resources, lines } = setUp(figures);
    await resources.check();
    expect(lines).toEqual(expected);
  });

  it("measures again for who asks, and waits for nobody for ever", async () => {
    const { resources, state } = setUp();
    const measuredBefore: number[] = [];
    state.check = async () => void measuredBefore.push(state.measured);
    await resources.check();
    expect([measuredBefore, state.measured]).toEqual([[0], 1]);
    state.check = () => new Promise(() => {});
    expect(await resources.check()).toMatchObject({ ok: true });
  });

  it("logs each incident as it begins and ends, and reports it", async () => {
    const { resources, state, lines, reported } = setUp();
    const times = { began_at: 0, ended_at: null, emailed_at: null };
    const incident = { ...times, id: "1", instance: "web-1", kind: "cpu", peak: 95 } as const;
    state.events = [
      { ...incident, change: "began" },
      { ...incident, change: "ended" },
    ];
    await resources.check();
    await resources.settle();
    expect(lines).toEqual(["warn: an incident began", "info: an incident is over"]);
    expect(reported).toEqual(["1 began", "1 ended"]);
  });

  it("stores the pending samples and closes the probe when it stops", async () => {
    const { resources, state, stored } = setUp();
    resources.start();
    await resources.stop();
    expect(stored).toHaveLength(1);
    expect(state.isClosed).toBe(true);
  });
});
