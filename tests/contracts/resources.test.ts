import { describe, expect, it } from "vitest";
import type { IncidentEvent } from "~/services/resources/incidents.server";
import type { Measurement, ResourceProbe } from "~/services/resources/resource-probe";
import { createResources } from "~/services/resources/resources.server";
import { createSystemResources } from "../factories/resources";
import type { Figures } from "../factories/resources";
import { createTestClock } from "../factories/time";

/** A probe that measures what the test says; an Error is thrown. */
function world(figures: Figures | Error = {}, timeoutMs = 5000) {
  const clock = createTestClock();
  const lines: string[] = [];
  const note = (level: string) => (details: unknown, words?: string) =>
    void lines.push(`${level}: ${words ?? String(details)}`);
  const kept: number[] = [];
  const told: string[] = [];
  const state = {
    figures,
    measured: 0,
    isClosed: false,
    news: [] as IncidentEvent[],
    held: Promise.resolve(),
    /** What somebody else who measures does when asked to measure again. */
    check: async () => {},
  };
  const probe: ResourceProbe = {
    name: "scripted",
    async measure(): Promise<Measurement> {
      state.measured += 1;
      await state.held;
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
    onEvent: async ({ id, change }) => void told.push(`${id} ${change}`),
    history: {
      add: async (_, at) => void kept.push(at),
      flush: async () => undefined,
      over: async () => [],
      neighbours: async () => [],
      sweep: async () => undefined,
    },
    incidents: { observe: async () => state.news, list: async () => [], sweep: async () => undefined },
    log: { error: note("error"), warn: note("warn"), info: note("info") },
  });
  return { resources, state, clock, lines, kept, told };
}

describe("the service of resources", () => {
  it("says what was measured last, and measures nothing for whoever asks", async () => {
    const { resources, state, clock, kept } = world({ cpu: 12 });
    const began = clock();
    await resources.check();
    clock.forward(5000);
    for (let asked = 0; asked < 5; asked += 1) {
      expect(await resources.latest()).toMatchObject({
        ok: true,
        at: began,
        resources: { cpu: { usagePercentage: 12 } },
      });
    }
    expect(state.measured).toBe(1);
    await resources.settle();
    expect(kept).toEqual([began]);
  });

  it("measures once for many who check at once, and again for the next", async () => {
    const { resources, state } = world();
    await Promise.all([resources.check(), resources.check(), resources.latest()]);
    expect(state.measured).toBe(1);
    await resources.check();
    expect(state.measured).toBe(2);
  });

  it("says that it failed, logs that once, and goes on", async () => {
    const { resources, state, lines } = world(new Error("no such folder"));
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await resources.check()).toMatchObject({ ok: false, error: "not-measured" });
    }
    expect(await resources.latest()).toMatchObject({ ok: false });
    expect(lines).toEqual(["error: the server's resources could not be measured"]);
    state.figures = {};
    expect(await resources.check()).toMatchObject({ ok: true });
    expect(lines.at(-1)).toBe("info: the server's resources are measured again");
  });

  it("waits for no measurement that hangs, and begins no second one beside it", async () => {
    const { resources, state } = world({}, 10);
    let goOn: () => void = () => undefined;
    state.held = new Promise((resolve) => (goOn = resolve));
    for (let tries = 0; tries < 2; tries += 1) expect(await resources.check()).toMatchObject({ ok: false });
    expect(state.measured).toBe(1);
    goOn();
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
    const { resources, lines } = world(figures);
    await resources.check();
    expect(lines).toEqual(expected);
  });

  it("has the one who measures measure again before it asks, and does not wait for one who never ends", async () => {
    const { resources, state } = world();
    const measuredBefore: number[] = [];
    state.check = async () => void measuredBefore.push(state.measured);
    await resources.check();
    expect([measuredBefore, state.measured]).toEqual([[0], 1]);
    state.check = () => new Promise(() => {});
    expect(await resources.check()).toMatchObject({ ok: true });
  });

  it("logs each incident as it begins and ends, and hands it on", async () => {
    const { resources, state, lines, told } = world();
    const incident = {
      id: "1",
      instance: "web-1",
      kind: "cpu",
      beganAt: 0,
      endedAt: undefined,
      peak: 95,
    } as const;
    state.news = [
      { ...incident, change: "began", isMailed: true },
      { ...incident, change: "ended", isMailed: true },
    ];
    await resources.check();
    await resources.settle();
    expect(lines).toEqual(["warn: an incident began", "info: an incident is over"]);
    expect(told).toEqual(["1 began", "1 ended"]);
  });

  it("stops with what it knows kept, and its probe closed", async () => {
    const { resources, state, kept } = world();
    resources.start();
    await resources.stop();
    expect(kept).toHaveLength(1);
    expect(state.isClosed).toBe(true);
  });
});
