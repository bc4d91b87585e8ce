import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { createOwnSessions } from "~/services/sessions/own-sessions.server";
import { createSessions, startSession } from "~/services/sessions/sessions.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { dialects } from "../databases";
import { createTestClock } from "../factories/time";
import { useDatabase } from "./use-database";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";
const from = { network: "198.51.100.0", requestId: "r1" };

describe.each(dialects)("one's own sessions on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  beforeEach(async () => {
    const account = { role: "admin" as const, password_hash: "x", password_is_temporary: 0 as const };
    const never = { password_expires_at: null, created_at: 1, last_login_at: null };
    await database.write((trx) =>
      trx
        .insertInto("accounts")
        .values([
          { id: "a", email: "ada@example.com", full_name: "Ada", ...account, ...never },
          { id: "g", email: "grace@example.com", full_name: "Grace", ...account, ...never },
        ])
        .execute(),
    );
  });

  async function setUp() {
    const clock = createTestClock();
    const sessions = createSessions({ database, clock, newId });
    const start = (accountId: string, userAgent = FIREFOX, network = "203.0.113.0") =>
      database.write((trx) => startSession(trx, accountId, { userAgent, network }, clock()));
    const personOf = async (id: string): Promise<SignedIn> => {
      const person = await sessions.find(id);
      if (!person) throw new Error("No such session");
      return person;
    };
    return { clock, sessions, start, personOf, own: createOwnSessions({ database, clock, newId }) };
  }
  const audit = () =>
    database.read.selectFrom("audit").select(["actor", "action", "subject", "outcome", "network"]).execute();

  it("lists one's own, this one first, in words and without id or hash (C5)", async () => {
    const { clock, start, personOf, own } = await setUp();
    const here = await start("a");
    clock.forward(minutes(5));
    const phone = await start("a", IPHONE, "2001:db8:7::");
    await start("g");
    clock.forward(minutes(2));
    const person = await personOf(here);
    const list = await own.list(person);
    expect(list).toEqual([
      {
        handle: person.sessionHandle,
        isThisOne: true,
        browser: "Firefox on Linux",
        network: "203.0.113.x",
        startedAt: clock() - minutes(7),
        lastSeenAt: clock(),
      },
      {
        handle: (await personOf(phone)).sessionHandle,
        isThisOne: false,
        browser: "Safari on iOS",
        network: "2001:db8:7:x",
        startedAt: clock() - minutes(2),
        lastSeenAt: clock() - minutes(2),
      },
    ]);
    const hashes = await database.read.selectFrom("sessions").select("id_hash").execute();
    for (const secret of [here, phone, ...hashes.map((row) => row.id_hash)]) {
      expect(JSON.stringify(list)).not.toContain(secret);
    }
  });

  it("leaves out what is over", async () => {
    const { clock, start, personOf, own } = await setUp();
    await start("a", IPHONE);
    clock.forward(minutes(30));
    const here = await start("a");
    expect(await own.list(await personOf(here))).toMatchObject([{ isThisOne: true }]);
  });

  it("ends another one at once, and writes down which (C6)", async () => {
    const { sessions, start, personOf, own } = await setUp();
    const [here, phone] = [await start("a"), await start("a", IPHONE)];
    const { sessionHandle } = await personOf(phone);
    expect(await own.endOne(await personOf(here), sessionHandle, from)).toBe(true);
    expect(await sessions.find(phone)).toBeUndefined();
    expect(await sessions.find(here)).toBeDefined();
    expect(await own.endOne(await personOf(here), sessionHandle, from)).toBe(false);
    expect(await audit()).toEqual([
      {
        actor: "ada@example.com",
        action: "end-session",
        subject: "Safari on iOS from 203.0.113.x",
        outcome: "ok",
        network: "198.51.100.0",
      },
    ]);
  });

  it("does nothing to another account's session, nor to this one (C9)", async () => {
    const { sessions, start, personOf, own } = await setUp();
    const [here, hers] = [await start("a"), await start("g")];
    const person = await personOf(here);
    for (const handle of [(await personOf(hers)).sessionHandle, person.sessionHandle, "", "x\0"]) {
      expect(await own.endOne(person, handle, from)).toBe(false);
    }
    expect(await sessions.find(hers)).toBeDefined();
    expect(await sessions.find(here)).toBeDefined();
    expect(await audit()).toEqual([]);
  });

  it("ends all others of this account in one entry, and none when there are none (C6)", async () => {
    const { clock, sessions, start, personOf, own } = await setUp();
    const here = await start("a");
    const others = [await start("a", IPHONE), await start("a", IPHONE), await start("a")];
    const hers = await start("g");
    clock.forward(seconds(1));
    const person = await personOf(here);
    expect(await own.endOthers(person, from)).toBe(3);
    for (const other of others) expect(await sessions.find(other)).toBeUndefined();
    expect(await sessions.find(here)).toBeDefined();
    expect(await sessions.find(hers)).toBeDefined();
    expect(await own.endOthers(person, from)).toBe(0);
    const [entry, ...more] = await audit();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor: "ada@example.com", action: "end-other-sessions" });
    expect(entry?.subject.split(", ").sort()).toEqual([
      "Firefox on Linux from 203.0.113.x",
      "Safari on iOS from 203.0.113.x",
    ]);
  });
});
