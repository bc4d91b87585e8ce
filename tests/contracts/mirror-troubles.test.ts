import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { createPeople } from "~/services/people/people.server";
import { dialects } from "../databases";
import { listEmails, listLetterEmails, createTestMirrors, operator } from "../factories/mirrors";
import { expectCountsToAgree } from "../factories/submissions";
import { LATER, ScriptedMirror } from "../fakes/scripted-mirror";
import { useDatabase } from "./use-database";

const WRONG = { kind: "misconfigured", detail: "No such sheet: look at SHEET_EARLY_ACCESS_ID" } as const;

describe.each(dialects)("the mirror on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  describe("in trouble", () => {
    it("waits longer each time it is put off, as long as it is told, and continues by itself after days (R11)", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, clock, sheet, logged } = createTestMirrors(database, mirror);
      const one = worker();
      await one.tick();
      await early(...listLetterEmails(1, 3));
      const waits = [];
      for (let failure = 0; failure < 12; failure += 1) {
        mirror.writeEvents.push(LATER);
        await one.tick();
        const { not_before, trouble, detail, waiting } = await sheet();
        expect({ trouble, detail, waiting }).toEqual({
          trouble: "deferred",
          detail: "429 later",
          waiting: 3,
        });
        waits.push((not_before - clock()) / 1000);
        await one.tick();
        clock.forward(not_before - clock());
      }
      expect(waits).toEqual([0.75, 1.5, 3, 6, 12, 24, 48, 96, 192, 225, 225, 225]);
      mirror.writeEvents.push({ ...LATER, retryAfterMs: minutes(40) });
      await one.tick();
      expect((await sheet()).not_before).toBe(clock() + minutes(40));
      clock.forward(minutes(60 * 24 * 3));
      await one.tick();
      expect(listEmails(mirror)).toEqual(listLetterEmails(1, 3));
      expect(await sheet()).toMatchObject({ trouble: "", waiting: 0 });
      expect(logged).toEqual(["the mirror cannot be written"]);
    });

    it("stops at what a person has to mend, until they try again or the server is started again", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, clock, sheet, mirrors } = createTestMirrors(database, mirror);
      const one = worker();
      await one.tick();
      await early("a@example.com");
      mirror.writeEvents.push(WRONG);
      await one.tick();
      clock.forward(minutes(60));
      await one.tick();
      expect(mirror.writes).toBe(1);
      expect(await sheet()).toMatchObject({ trouble: "misconfigured", detail: WRONG.detail, waiting: 1 });
      mirror.writeEvents.push(WRONG);
      await mirrors.retry("early-access", operator);
      await one.tick();
      expect(mirror.writes).toBe(2);
      await worker().tick();
      expect(listEmails(mirror)).toEqual(["a@example.com"]);
    });

    it("passes by a row the other side refuses, keeps its words, and writes it when it is told to", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, sheet, mirrors } = createTestMirrors(database, mirror);
      await early(...listLetterEmails(1, 4));
      mirror.refuses = (row) => row[1] === "b@example.com";
      await worker().tick();
      expect(listEmails(mirror)).toEqual(["a@example.com", "c@example.com", "d@example.com"]);
      const { undecided } = await sheet();
      expect(undecided).toMatchObject([{ state: "refused", detail: "not this one", email: "b@example.com" }]);
      mirror.refuses = () => false;
      expect(await mirrors.decide(undecided[0]!.id, "again", operator)).toBe(true);
      expect(await mirrors.decide(undecided[0]!.id, "again", operator)).toBe(false);
      await worker().tick();
      expect(listEmails(mirror).at(-1)).toBe("b@example.com");
    });

    it.each([
      { hasPlaces: true, canRead: true },
      { hasPlaces: true, canRead: false },
      { hasPlaces: false, canRead: true },
    ])("doubles and loses nothing when no answer comes: $hasPlaces, $canRead", async (how) => {
      const mirror = new ScriptedMirror({ ...how, batch: how.hasPlaces ? 3 : 1 });
      const { worker, early, clock, states } = createTestMirrors(database, mirror);
      const one = worker();
      await early(...listLetterEmails(1, 7));
      for (const event of ["applied", "lost", LATER, "applied"] as const) {
        mirror.writeEvents.push(event);
        await one.tick();
        clock.forward(minutes(5));
      }
      await one.tick();
      expect(listEmails(mirror)).toEqual(listLetterEmails(1, 7));
      expect(await states()).toEqual({ written: 7 });
    });

    it("asks a person where nobody can know, and does what they say", async () => {
      const mirror = new ScriptedMirror({ hasPlaces: false, canRead: false, batch: 1 });
      const { worker, early, clock, sheet, mirrors, states } = createTestMirrors(database, mirror);
      const one = worker();
      await early(...listLetterEmails(1, 4));
      mirror.writeEvents.push("applied");
      await one.tick();
      clock.forward(minutes(1));
      mirror.writeEvents.push("lost");
      await one.tick();
      clock.forward(minutes(1));
      await one.tick();
      expect(listEmails(mirror)).toEqual(["a@example.com", "c@example.com", "d@example.com"]);
      const { undecided } = await sheet();
      expect(undecided.map(({ state, email }) => [state, email])).toEqual([
        ["uncertain", "a@example.com"],
        ["uncertain", "b@example.com"],
      ]);
      await mirrors.decide(undecided[0]!.id, "done", operator);
      await mirrors.decide(undecided[1]!.id, "again", operator);
      await one.tick();
      expect(listEmails(mirror)).toEqual([
        "a@example.com",
        "c@example.com",
        "d@example.com",
        "b@example.com",
      ]);
      expect(await states()).toEqual({ written: 4 });
    });

    it("does not take for certain what was deleted and brought back meanwhile", async () => {
      const mirror = new ScriptedMirror({ hasPlaces: false, canRead: false, batch: 1 });
      const { worker, early, clock, findId, deletions, states } = createTestMirrors(database, mirror);
      await early("a@example.com");
      const one = worker();
      mirror.writeEvents.push("lost");
      await one.tick();
      clock.forward(minutes(1));
      await one.tick();
      const ids = [await findId("a@example.com")];
      const deletion = await deletions.delete({ kind: "early-access", ids }, operator);
      await one.tick();
      expect(await states()).toEqual({ left: 1 });
      await deletions.undo(deletion!, operator);
      await one.tick();
      expect(await states()).toEqual({ uncertain: 1 });
    });

    it("leaves nobody behind who was erased while no answer came", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, findId, clock, states } = createTestMirrors(database, mirror);
      const people = createPeople({ database, outbox: undefined, clock, newId });
      await early(...listLetterEmails(1, 3));
      const id = await findId("b@example.com");
      const one = worker();
      mirror.writeEvents.push("applied");
      await one.tick();
      mirror.duringRead = async () => {
        mirror.duringRead = async () => undefined;
        await people.erase(id, operator);
      };
      clock.forward(minutes(1));
      await one.tick();
      expect(listEmails(mirror)).toEqual(["a@example.com", "", "c@example.com"]);
      expect(await states()).toEqual({ written: 3 });
    });

    it("says of a mirror that only grows which rows a person has to take away", async () => {
      const mirror = new ScriptedMirror({ hasPlaces: false, canRead: true, batch: 1 });
      const { worker, early, clock, findId, sheet, mirrors, states } = createTestMirrors(database, mirror);
      const people = createPeople({ database, outbox: undefined, clock, newId });
      await early(...listLetterEmails(1, 3));
      const one = worker();
      await one.tick();
      await people.erase(await findId("b@example.com"), operator);
      await one.tick();
      const { undecided } = await sheet();
      expect(undecided).toMatchObject([{ state: "left", place: 2, name: null, email: null }]);
      // It is not taken for somebody new, before and after the answer.
      await mirrors.repair("early-access", operator);
      await one.tick();
      await mirrors.decide(undecided[0]!.id, "done", operator);
      await mirrors.repair("early-access", operator);
      await one.tick();
      expect(await states()).toEqual({ written: 2, foreign: 1 });
      await expectCountsToAgree(database);
    });
  });
});
