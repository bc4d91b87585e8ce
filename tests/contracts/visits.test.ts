import { beforeEach, expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { createVisits } from "~/services/visits/visits.server";
import { insertAccount } from "../factories/accounts";
import { createTestClock } from "../factories/time";
import { watchWrites } from "../factories/watched-writes";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("the visits of an operator on %s", ({ database }) => {
  beforeEach(async () => {
    await insertAccount(database, { id: "a", email: "ada@example.com" });
    await insertAccount(database, { id: "g", email: "grace@example.com" });
  });

  function setUp() {
    const clock = createTestClock();
    const watched = watchWrites(database);
    const visits = createVisits({ database: watched.database, clock });
    /** Looks, and waits until that is recorded. */
    const look = async (account = "a") => {
      const since = await visits.look(account);
      await watched.written();
      return since;
    };
    return { clock, visits, start: clock(), look };
  }
  const readVisits = () => database.read.selectFrom("visits").selectAll().orderBy("account_id").execute();

  it("have nothing new before the second one", async () => {
    const { clock, visits, look } = setUp();
    expect(await visits.newSince("a")).toBeUndefined();
    expect(await look()).toBeUndefined();
    clock.forward(minutes(90));
    expect(await look()).toBeUndefined();
  });

  it("end two hours after the last look, and the mark of the one before stays for all of the next", async () => {
    const { clock, start, look } = setUp();
    await look();
    clock.forward(minutes(119));
    expect(await look()).toBeUndefined();
    clock.forward(hours(14));
    const mark = start + minutes(119);
    for (let request = 0; request < 6; request += 1) {
      expect(await look()).toBe(mark);
      clock.forward(hours(1));
    }
    clock.forward(days(1));
    expect(await look()).toBe(start + minutes(119) + hours(19));
  });

  it("are one for all tabs and devices of an account, and another for each account", async () => {
    const { clock, start, look } = setUp();
    await Promise.all([look(), look(), look()]);
    clock.forward(hours(10));
    expect(await Promise.all([look(), look(), look()])).toEqual([start, start, start]);
    expect(await look("g")).toBeUndefined();
    expect(await readVisits()).toHaveLength(2);
  });

  it("write at most every five minutes, and never for a page that refreshes by itself", async () => {
    const { clock, visits, start, look } = setUp();
    const writes: number[] = [];
    const watched = watchWrites(database);
    const counted = createVisits({
      clock,
      database: {
        ...watched.database,
        write: (work) => {
          writes.push(clock() - start);
          return watched.database.write(work);
        },
      },
    });
    for (let minute = 0; minute < 12; minute += 1) {
      await counted.look("a");
      await watched.written();
      clock.forward(minutes(1));
    }
    expect(writes).toEqual([0, minutes(5), minutes(10)]);
    clock.forward(hours(9));
    await visits.newSince("a");
    expect(await readVisits()).toEqual([
      { account_id: "a", new_since: null, last_seen_at: start + minutes(10) },
    ]);
    expect(await look()).toBe(start + minutes(10));
  });

  it("count in whole minutes, and go on after a clock was set back", async () => {
    const { clock, start, look } = setUp();
    clock.forward(minutes(30) + 59_999);
    await look();
    clock.forward(hours(3));
    expect(await look()).toBe(start + minutes(30));
    clock.forward(-days(1));
    expect(await look()).toBe(start + minutes(30));
    clock.forward(hours(3));
    expect(await look()).toBe(start + minutes(210) - days(1));
  });

  it("tell what is new while the database takes no writes", async () => {
    const { clock, start, look } = setUp();
    await look();
    clock.forward(hours(10));
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    // Of the two, a locked one does not answer.
    const { promise: locked } = Promise.withResolvers<never>();
    for (const write of [() => Promise.reject(full), () => locked]) {
      const visits = createVisits({
        clock,
        database: { ...database, read: database.read, write },
      });
      expect(await visits.look("a")).toBe(start);
    }
  });

  it("go with their account", async () => {
    const { look } = setUp();
    await look();
    await database.write((trx) => trx.deleteFrom("accounts").where("id", "=", "a").execute());
    expect(await readVisits()).toEqual([]);
  });
});
