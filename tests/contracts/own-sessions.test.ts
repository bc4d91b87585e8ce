import { beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { createSessions } from "~/services/sessions/sessions.server";
import { findPerson as find, insertAccount, insertSession, readAudit } from "../factories/accounts";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";
const from = { network: "198.51.100.0", requestId: "r1" };

describeOnDatabases("a person's own sessions on %s", ({ database }) => {
  beforeEach(async () => {
    await insertAccount(database, { id: "a", email: "ada@example.com" });
    await insertAccount(database, { id: "g", email: "grace@example.com" });
  });

  function setUp() {
    const clock = createTestClock();
    const sessions = createSessions({ database, clock, newId });
    const start = (accountId: string, userAgent = FIREFOX, network = "203.0.113.0") =>
      insertSession(database, { accountId, clock, userAgent, network });
    const findPerson = async (id: string) => (await find(sessions, id))!;
    return { clock, sessions, start, findPerson };
  }

  // C5
  it("are listed without id or hash, the current one first", async () => {
    const { clock, sessions, start, findPerson } = setUp();
    const here = await start("a");
    clock.forward(minutes(5));
    const phone = await start("a", IPHONE, "2001:db8:7::");
    await start("g");
    clock.forward(minutes(2));
    const operator = await findPerson(here);
    const list = await sessions.list(operator);
    const { sessionHandle } = await findPerson(phone);
    const computer = { handle: operator.sessionHandle, browser: "Firefox on Linux", network: "203.0.113.x" };
    const iPhone = { handle: sessionHandle, browser: "Safari on iOS", network: "2001:db8:7:x" };
    const [earlier, later] = [clock() - minutes(7), clock() - minutes(2)];
    expect(list).toEqual([
      { ...computer, isThisOne: true, startedAt: earlier, lastSeenAt: clock() },
      { ...iPhone, isThisOne: false, startedAt: later, lastSeenAt: later },
    ]);
    const hashes = await database.read.selectFrom("sessions").select("id_hash").execute();
    for (const secret of [here, phone, ...hashes.map((row) => row.id_hash)]) {
      expect(JSON.stringify(list)).not.toContain(secret);
    }
  });

  // R7
  it("are read without waiting for a locked database to record it", async () => {
    const { clock, start } = setUp();
    const id = await start("a");
    clock.forward(minutes(2));
    const { promise: locked } = Promise.withResolvers<never>();
    const sessions = createSessions({
      clock,
      newId,
      database: { ...database, read: database.read, write: () => locked },
    });
    await sessions.recordUse(id, { lastSeenAt: clock() - minutes(2) });
    expect(await sessions.read(id)).toBeDefined();
  });

  it("are not listed once they have ended", async () => {
    const { clock, sessions, start, findPerson } = setUp();
    await start("a", IPHONE);
    clock.forward(minutes(30));
    const here = await start("a");
    expect(await sessions.list(await findPerson(here))).toMatchObject([{ isThisOne: true }]);
  });

  // C6
  it("end one at a time, at once and with an audit entry", async () => {
    const { sessions, start, findPerson } = setUp();
    const [here, phone] = [await start("a"), await start("a", IPHONE)];
    const { sessionHandle } = await findPerson(phone);
    expect(await sessions.endOne(await findPerson(here), sessionHandle, from)).toBe(true);
    expect(await find(sessions, phone)).toBeUndefined();
    expect(await find(sessions, here)).toBeDefined();
    expect(await sessions.endOne(await findPerson(here), sessionHandle, from)).toBe(false);
    const entry = { actor: "ada@example.com", action: "end-session", network: from.network };
    expect(await readAudit(database)).toMatchObject([
      { ...entry, subject: "Safari on iOS from 203.0.113.x", outcome: "ok" },
    ]);
  });

  it("that have ended are not ended again", async () => {
    const { clock, sessions, start, findPerson } = setUp();
    const { sessionHandle } = await findPerson(await start("a", IPHONE));
    clock.forward(minutes(30));
    const operator = await findPerson(await start("a"));
    expect(await sessions.endOne(operator, sessionHandle, from)).toBe(false);
    expect(await sessions.endOthers(operator, from)).toBe(0);
    expect(await readAudit(database)).toEqual([]);
  });

  // C9
  it("cannot be ended by another account, nor can the current one be ended", async () => {
    const { sessions, start, findPerson } = setUp();
    const [here, hers] = [await start("a"), await start("g")];
    const operator = await findPerson(here);
    for (const handle of [(await findPerson(hers)).sessionHandle, operator.sessionHandle, "", "x\0"]) {
      expect(await sessions.endOne(operator, handle, from)).toBe(false);
    }
    expect(await find(sessions, hers)).toBeDefined();
    expect(await find(sessions, here)).toBeDefined();
    expect(await readAudit(database)).toEqual([]);
  });

  // C6
  it("all end but the current one, with one audit entry, and none when there are none", async () => {
    const { clock, sessions, start, findPerson } = setUp();
    const here = await start("a");
    const others = [await start("a", IPHONE), await start("a", IPHONE), await start("a")];
    const hers = await start("g");
    clock.forward(seconds(1));
    const operator = await findPerson(here);
    expect(await sessions.endOthers(operator, from)).toBe(3);
    for (const other of others) expect(await find(sessions, other)).toBeUndefined();
    expect(await find(sessions, here)).toBeDefined();
    expect(await find(sessions, hers)).toBeDefined();
    expect(await sessions.endOthers(operator, from)).toBe(0);
    const [entry, ...more] = await readAudit(database);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor: "ada@example.com", action: "end-other-sessions" });
    expect(entry?.subject.split(", ").sort()).toEqual([
      "Firefox on Linux from 203.0.113.x",
      "Safari on iOS from 203.0.113.x",
    ]);
  });
});
