import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { mirrorQueue } from "~/services/mirrors/mirror-rows.server";
import {
  claimSheet,
  isClaimedByAnother,
  getSheet,
  withLeaseRenewal,
} from "~/services/mirrors/mirror-sheets.server";
import { createPeople } from "~/services/people/people.server";
import { dialects } from "../databases";
import { listEmails, listLetterEmails, createTestMirrors, operator } from "../factories/mirrors";
import { storeSubmissions } from "../factories/submissions";
import { createLeaseTime, createTestClock } from "../factories/time";
import { ScriptedMirror } from "../fakes/scripted-mirror";
import { useDatabase } from "./use-database";

describe.each(dialects)("the mirror on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("copies each form in the specification's columns, in order", async () => {
    const mirror = new ScriptedMirror();
    const { worker, early, inquire, sheet } = createTestMirrors(database, mirror);
    await early(...listLetterEmails(1, 3));
    await inquire("grace@example.com", "May I see it?");
    await worker().tick();
    expect(listEmails(mirror)).toEqual(listLetterEmails(1, 3));
    const time = expect.stringMatching(/^2026-11-21T08:00:05\.\d{3}Z$/);
    expect(mirror.sheets["early-access"][0]).toEqual(["Name of a", "a@example.com", "Acme", "manager", time]);
    expect(mirror.sheets["contact-form"]).toEqual([
      [time, "Grace Hopper", "grace@example.com", "support", "May I see it?"],
    ]);
    expect(mirror.sheets["updates-signup"]).toEqual([[time, "Grace Hopper", "grace@example.com"]]);
    expect(await sheet()).toMatchObject({ waiting: 0, drifted: 0, trouble: "" });
  });

  it("writes what came meanwhile in batches of the mirror's size", async () => {
    const mirror = new ScriptedMirror({ batch: 4 });
    const { worker, early } = createTestMirrors(database, mirror);
    await early(...listLetterEmails(1, 10));
    await worker().tick();
    expect(listEmails(mirror)).toEqual(listLetterEmails(1, 10));
    expect(mirror.writes).toBe(3);
  });

  it("owes what a quarantine lets in and what an undo brings back, and nothing that is no submission", async () => {
    const mirror = new ScriptedMirror();
    const { worker, early, visit, quarantine, deletions, findId, states, clock } = createTestMirrors(
      database,
      mirror,
    );
    await worker().tick();
    await early("a@example.com");
    await storeSubmissions(database, [
      { email: "bot@example.com", state: "quarantined", quarantine_reason: "honeypot", created_at: clock() },
      { email: "unsure@example.com", kind: "updates-signup", state: "unconfirmed" },
    ]);
    visit();
    await worker().tick();
    expect(listEmails(mirror)).toEqual(["a@example.com"]);
    await quarantine.release({ ids: [await findId("bot@example.com")] }, operator);
    const deletion = await deletions.delete(
      { kind: "early-access", ids: [await findId("a@example.com")] },
      operator,
    );
    await worker().tick();
    expect(listEmails(mirror)).toEqual(["", "bot@example.com"]);
    await deletions.undo(deletion!, operator);
    await worker().tick();
    expect(listEmails(mirror)).toEqual(["a@example.com", "bot@example.com"]);
    expect(await states()).toEqual({ written: 2 });
  });

  it("never writes who was erased before, and empties the row of who is erased after (R11)", async () => {
    const mirror = new ScriptedMirror();
    const { worker, early, findId, clock, states } = createTestMirrors(database, mirror);
    const people = createPeople({ database, outbox: undefined, clock, newId });
    await early(...listLetterEmails(1, 3));
    await people.erase(await findId("b@example.com"), operator);
    await worker().tick();
    expect(listEmails(mirror)).toEqual(["a@example.com", "c@example.com"]);
    await people.erase(await findId("a@example.com"), operator);
    await worker().tick();
    expect(mirror.sheets["early-access"][0]).toEqual(["", "", "", "", ""]);
    expect(listEmails(mirror)[1]).toBe("c@example.com");
    expect(await states()).toEqual({ written: 2 });
  });

  it("empties the row of who is erased while it is being written", async () => {
    const mirror = new ScriptedMirror();
    const { worker, early, findId, clock } = createTestMirrors(database, mirror);
    const people = createPeople({ database, outbox: undefined, clock, newId });
    await early(...listLetterEmails(1, 2));
    const id = await findId("a@example.com");
    mirror.duringWrite = async () => {
      mirror.duringWrite = async () => undefined;
      await people.erase(id, operator);
    };
    await worker().tick();
    expect(listEmails(mirror)).toEqual(["", "b@example.com"]);
    expect(JSON.stringify(await database.read.selectFrom("mirror_rows").selectAll().execute())).not.toContain(
      "a@example",
    );
  });

  describe("beside others", () => {
    it("leaves a sheet to the instance that writes it, and takes it over when that one is gone", async () => {
      const mirror = new ScriptedMirror({ canRead: false });
      const { worker, early, clock } = createTestMirrors(database, mirror);
      await worker().tick();
      await early("a@example.com");
      const other = worker({ instance: "two:3000" });
      await other.tick();
      expect(mirror.writes).toBe(0);
      clock.forward(seconds(31));
      await other.tick();
      expect(listEmails(mirror)).toEqual(["a@example.com"]);
    });

    it("keeps a sheet for as long as it works on it (R22)", async () => {
      const clock = createTestClock();
      const leaseTime = createLeaseTime(clock);
      const [one, two] = ["one/1", "two/1"].map((owner) => ({ owner, leaseTime }));
      const until = async () => (await getSheet(database.read, "early-access")).lease_until;
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      expect(await database.write((trx) => claimSheet(trx, "early-access", one!))).toBe(true);
      await withLeaseRenewal(database, "early-access", one!, async () => {
        const before = await until();
        clock.forward(seconds(20));
        vi.advanceTimersByTime(10_000);
        await vi.waitUntil(async () => (await until()) > before);
        clock.forward(seconds(20));
        expect(await isClaimedByAnother(database.read, "early-access", two!)).toBe(true);
      });
      clock.forward(seconds(11));
      expect(await isClaimedByAnother(database.read, "early-access", two!)).toBe(false);
    });
  });

  it("costs nothing without a mirror: no row is queued", async () => {
    await storeSubmissions(database, [{ email: "a@example.com" }]);
    const { deletions, findId } = createTestMirrors(database, new ScriptedMirror());
    await deletions.delete({ kind: "early-access", ids: [await findId("a@example.com")] }, operator);
    expect(await database.read.selectFrom("mirror_rows").selectAll().execute()).toEqual([]);
  });

  it("is owed once, however often it is asked for", async () => {
    const { states } = createTestMirrors(database, new ScriptedMirror());
    const ids = await storeSubmissions(database, [{ email: "a@example.com" }]);
    for (let time = 0; time < 2; time += 1) {
      await database.write((trx) => mirrorQueue.add(trx, "early-access", ids));
    }
    expect(await states()).toEqual({ waiting: 1 });
  });
});
