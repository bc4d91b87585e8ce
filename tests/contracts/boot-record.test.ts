import { expect, it } from "vitest";
import { minutes, seconds } from "~/lib/durations";
import { createBootRecord, listRunningNames, listSharedNames } from "~/services/instances/boot-record.server";
import { newId } from "~/services/service-deps";
import { createLeaseTime, createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("the record of running processes on %s", ({ database }) => {
  function setUp() {
    const clock = createTestClock();
    const leaseTime = createLeaseTime(clock);
    const boot = (instance: string) => {
      const warnings: string[] = [];
      const log = { warn: (_: object, message: string) => void warnings.push(message) };
      return { ...createBootRecord({ database, leaseTime, newId, instance, log }), warnings };
    };
    return {
      clock,
      boot,
      listRunning: () => listRunningNames(database.read, leaseTime),
      listShared: () => listSharedNames(database.read, leaseTime),
    };
  }

  // R40
  it("names two living processes of one name, once, in both logs and for the check", async () => {
    const { clock, boot, listShared } = setUp();
    const [one, two, other] = [boot("a:3000"), boot("a:3000"), boot("b:3000")];
    for (let beat = 0; beat < 3; beat += 1) {
      for (const each of [one, two, other]) await each.beat();
      clock.forward(seconds(10));
    }
    const warning = "another process runs under the name of this one";
    expect([one, two, other].map(({ warnings }) => warnings)).toEqual([[warning], [warning], []]);
    expect(await listShared()).toEqual(["a:3000"]);
    await two.stop();
    expect(await listShared()).toEqual([]);
  });

  it("lists the processes that run at the same time", async () => {
    const { clock, boot, listRunning } = setUp();
    expect(await listRunning()).toEqual([]);
    const [one, namesake, other] = [boot("a:3000"), boot("a:3000"), boot("a:3001")];
    for (let beat = 0; beat < 2; beat += 1) {
      for (const each of [one, namesake, other]) await each.beat();
      clock.forward(seconds(10));
    }
    expect(await listRunning()).toEqual(["a:3000", "a:3001"]);
    await other.stop();
    expect(await listRunning()).toEqual(["a:3000"]);
    clock.forward(minutes(1));
    expect(await listRunning()).toEqual([]);
  });

  it("lists one process after a restart under another name, whether after a crash or a stop", async () => {
    const { clock, boot, listRunning } = setUp();
    const [crashed, stopped] = [boot("a:3000"), boot("b:3000")];
    await crashed.beat();
    await stopped.beat();
    await stopped.stop();
    clock.forward(seconds(2));
    await boot("c:3000").beat();
    expect(await listRunning()).toEqual(["c:3000"]);
  });

  // R40
  it("names nobody for a restart, whether after a crash or a stop", async () => {
    const { clock, boot, listShared } = setUp();
    const crashed = boot("a:3000");
    await crashed.beat();
    clock.forward(seconds(2));
    const restarted = boot("a:3000");
    for (let beat = 0; beat < 3; beat += 1) {
      await restarted.beat();
      expect(await listShared()).toEqual([]);
      clock.forward(seconds(10));
    }
    expect(restarted.warnings).toEqual([]);
    clock.forward(minutes(60));
    await restarted.beat();
    expect(await database.read.selectFrom("instances").select("name").execute()).toHaveLength(1);
  });
});
