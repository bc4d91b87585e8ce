import { expect, it } from "vitest";
import { days, minutes, seconds } from "~/lib/durations";
import { createHistory } from "~/services/resources/history.server";
import { createSystemResources, type Figures } from "../factories/resources";
import { createTestClock } from "../factories/time";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("the history of resources on %s", ({ database, place, dialect }) => {
  function setUp(instance = "web-1", clock = createTestClock(), on = database) {
    const history = createHistory({ database: on, clock, instance });
    /** Adds samples ten seconds apart. */
    const sample = async (...samples: Figures[]) => {
      for (const figures of samples) {
        await history.add(createSystemResources(figures), clock());
        clock.forward(seconds(10));
      }
    };
    return { history, clock, sample };
  }
  const times = (count: number, figures: Figures) => Array.from({ length: count }, () => figures);

  it("stores a minute as its mean and its peaks, once it is over", async () => {
    const { history, clock, sample } = setUp();
    const began = clock();
    await sample({ cpu: 10 }, { cpu: 90 }, ...times(4, { cpu: 20 }));
    expect(await history.list("day")).toEqual([]);
    await sample({ cpu: 50 });
    const [minute, ...others] = await history.list("day");
    expect(others).toEqual([]);
    const values = { samples: 6, cpu_peak: 90, memory: 40, disk: 30, meetings: null };
    expect(minute).toMatchObject({ at: began, ...values });
    expect(minute?.cpu).toBeCloseTo(30, 6);
    expect(minute?.inbound).toBeCloseTo(12.34, 6);
  });

  it("aggregates 15 minutes from all their samples", async () => {
    const { history, clock, sample } = setUp();
    const began = clock();
    await sample(...times(6 * 10, { cpu: 10, meetings: 4 }), ...times(6 * 5, { cpu: 40, meetings: 10 }), {});
    const [quarter, ...others] = await history.list("month");
    expect(others).toEqual([]);
    expect(quarter).toMatchObject({ at: began, samples: 90, cpu_peak: 40 });
    expect(quarter?.cpu).toBeCloseTo(20, 6);
    expect(quarter?.meetings).toBeCloseTo(6, 6);
    expect(await history.list("day")).toHaveLength(15);
  });

  it("adds to the minute that a restart interrupted", async () => {
    const clock = createTestClock();
    const before = setUp("web-1", clock);
    await before.sample({ cpu: 10 }, { cpu: 10 });
    await before.history.flush();
    const after = setUp("web-1", clock);
    await after.sample({ cpu: 40 }, { cpu: 40 });
    await after.history.flush();
    const [minute] = await after.history.list("day");
    expect(minute).toMatchObject({ samples: 4, cpu_peak: 40 });
    expect(minute?.cpu).toBeCloseTo(25, 6);
  });

  it("ignores samples without meetings in their mean", async () => {
    const { history, sample } = setUp();
    await sample({}, { meetings: 6 }, {});
    await history.flush();
    expect((await history.list("day"))[0]).toMatchObject({ samples: 3, meetings: 6 });
  });

  it("is separate for instances that write at the same time", async () => {
    const other = await place.open();
    const clock = createTestClock();
    const [first, second] = [setUp("vm:3000", clock), setUp("vm:3001", clock, other)];
    await Promise.all([first.sample({ cpu: 10 }), second.sample({ cpu: 90 })]);
    await Promise.all([first.history.flush(), second.history.flush()]);
    expect((await first.history.list("day")).map(({ cpu }) => cpu)).toEqual([10]);
    expect((await second.history.list("day")).map(({ cpu }) => cpu)).toEqual([90]);
    expect(await first.history.neighbours()).toMatchObject([{ instance: "vm:3001", cpu: 90 }]);
    clock.forward(minutes(6));
    expect(await first.history.neighbours()).toEqual([]);
    await other.close();
  });

  it("deletes minutes after a day and the rest after 30 days, of every instance", async () => {
    const { history, clock, sample } = setUp();
    const stopped = setUp("stopped", clock);
    await sample({});
    await stopped.sample({});
    await Promise.all([history.flush(), stopped.history.flush()]);
    const sweep = async () => {
      await history.sweep();
      const rows = await database.read
        .selectFrom("resource_samples")
        .select(["instance", "step"])
        .orderBy("instance")
        .orderBy("step")
        .execute();
      return rows.map(({ instance, step }) => `${instance} ${step / minutes(1)}`);
    };
    expect(await sweep()).toEqual(["stopped 1", "stopped 15", "web-1 1", "web-1 15"]);
    clock.forward(days(1));
    expect(await sweep()).toEqual(["stopped 15", "web-1 15"]);
    clock.forward(days(29));
    expect(await sweep()).toEqual([]);
  });

  it("reads a month by an index and without sorting", async () => {
    const plans = await getPlans(database, (watched) =>
      createHistory({ database: watched, clock: createTestClock(), instance: "web-1" }).list("month"),
    );
    expect(plans.join("\n")).not.toMatch(/^SCAN|TEMP B-TREE/m);
    if (dialect === "sqlite") expect(plans.join("\n")).toMatch(/USING (?:PRIMARY KEY|INDEX)/);
  });
});
