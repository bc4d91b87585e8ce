import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { dialects } from "../databases";
import { listEmails, listLetterEmails, createTestMirrors, operator } from "../factories/mirrors";
import { expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { LATER, ScriptedMirror } from "../fakes/scripted-mirror";
import { useDatabase } from "./use-database";

describe.each(dialects)("the mirror on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  describe("with what people do in the sheet", () => {
    it("begins with what both sides have, each once", async () => {
      const mirror = new ScriptedMirror();
      mirror.sheets["early-access"].push(
        ["Ada Byron", "ADA@example.com", "Engines", "Developer", "2026-11-01T10:00:00.000Z"],
        ["Total", "", "", "", "2"],
        ["Grace Hopper", "grace@example.com", "", "CTO", ""],
        ["Grace again", "grace@example.com", "", "", ""],
      );
      const { worker, early, states, findId } = createTestMirrors(database, mirror);
      const [known] = await storeSubmissions(database, [{ email: "ada@example.com" }]);
      await early("x@example.com");
      await worker().tick();
      expect(listEmails(mirror)).toEqual([
        "ADA@example.com",
        "",
        "grace@example.com",
        "grace@example.com",
        "x@example.com",
      ]);
      expect(await states()).toEqual({ written: 3, foreign: 2 });
      expect(await findId("ada@example.com")).toBe(known);
      const id = await findId("grace@example.com");
      const submission = database.read.selectFrom("submissions").selectAll().where("id", "=", id);
      expect(await submission.executeTakeFirstOrThrow()).toMatchObject({
        state: "accepted",
        name: "Grace Hopper",
        role: "other",
        company: "",
      });
      const consents = database.read.selectFrom("consents").select(["wording_version", "network"]);
      expect(await consents.where("submission_id", "=", id).execute()).toEqual([
        { wording_version: "spreadsheet-1", network: "" },
      ]);
      const audit = database.read.selectFrom("audit").select(["actor", "subject"]);
      expect(await audit.where("action", "=", "import-from-mirror").execute()).toEqual([
        { actor: "system", subject: "1 submission of early-access" },
      ]);
      await expectCountsToAgree(database);
    });

    it("queues what came while no mirror was set up, and starts over in another sheet", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, states } = createTestMirrors(database, mirror);
      await storeSubmissions(database, [{ email: "old@example.com" }]);
      await early("a@example.com");
      await worker().tick();
      expect(listEmails(mirror)).toEqual(["old@example.com", "a@example.com"]);
      await storeSubmissions(database, [{ email: "between@example.com" }]);
      await worker().tick();
      expect(listEmails(mirror)).toContain("between@example.com");
      const other = new ScriptedMirror();
      await worker({ target: "another sheet", to: other }).tick();
      expect(listEmails(other).toSorted()).toEqual(listEmails(mirror).toSorted());
      expect(await states()).toEqual({ written: 3 });
    });

    it("does not send everything again to an address that cannot be read and may be the same sheet", async () => {
      const mirror = new ScriptedMirror({ hasPlaces: false, canRead: false, batch: 1 });
      const { worker, early } = createTestMirrors(database, mirror);
      await early(...listLetterEmails(1, 2));
      await worker().tick();
      await worker({ target: "deployed again" }).tick();
      expect(listEmails(mirror)).toEqual(listLetterEmails(1, 2));
    });

    it("takes over what was added below, and writes its own under that", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, clock, states } = createTestMirrors(database, mirror);
      const one = worker();
      await early("a@example.com");
      await one.tick();
      mirror.sheets["early-access"].push(["By Hand", "hand@example.com", "", "", ""]);
      await early("b@example.com");
      await one.tick();
      const all = ["a@example.com", "hand@example.com", "b@example.com"];
      expect(listEmails(mirror)).toEqual(all);
      mirror.sheets["early-access"].push(["Late", "late@example.com", "", "", ""]);
      clock.forward(minutes(10));
      await one.tick();
      expect(await states()).toEqual({ written: 4 });
      await expectCountsToAgree(database);
    });

    it("sees what was changed and cut, leaves it so until it is told to repair, and then loses nobody", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, clock, sheet, mirrors } = createTestMirrors(database, mirror);
      const one = worker();
      await early(...listLetterEmails(1, 5));
      await one.tick();
      const rows = mirror.sheets["early-access"];
      const before = structuredClone(rows);
      rows[1]![2] = "Another company";
      rows[3] = ["Typed Over", "over@example.com", "", "", ""];
      rows.splice(4, 1);
      clock.forward(minutes(10));
      await one.tick();
      expect(await sheet()).toMatchObject({ drifted: 3, waiting: 0 });
      expect(rows[1]![2]).toBe("Another company");
      await mirrors.repair("early-access", operator);
      await one.tick();
      expect(rows.slice(0, 5)).toEqual(before);
      expect(listEmails(mirror)).toEqual([...listLetterEmails(1, 5), "over@example.com"]);
      expect(await sheet()).toMatchObject({ drifted: 0, waiting: 0, is_repair_asked: 0 });
    });

    it("sends again what is gone from a mirror that only grows", async () => {
      const mirror = new ScriptedMirror({ hasPlaces: false, canRead: true, batch: 1 });
      const { worker, early, clock, sheet, mirrors } = createTestMirrors(database, mirror);
      const one = worker();
      await early(...listLetterEmails(1, 4));
      await one.tick();
      mirror.sheets["early-access"].splice(1, 1);
      // The other side's own time is no change.
      mirror.sheets["early-access"][0]![4] = "11/21/2026 9:00:05";
      clock.forward(minutes(10));
      await one.tick();
      expect((await sheet()).drifted).toBe(1);
      await mirrors.repair("early-access", operator);
      await one.tick();
      expect(listEmails(mirror)).toEqual([
        "a@example.com",
        "c@example.com",
        "d@example.com",
        "b@example.com",
      ]);
    });

    it("waits when it cannot be read, and overwrites nobody meanwhile", async () => {
      const mirror = new ScriptedMirror();
      const { worker, early, clock, sheet } = createTestMirrors(database, mirror);
      const one = worker();
      await early("a@example.com");
      mirror.readEvents.push(LATER, LATER, LATER);
      for (let round = 0; round < 5; round += 1) await one.tick();
      expect(await sheet()).toMatchObject({ trouble: "deferred", connected_at: null });
      // One for each form: nobody is asked again before it is time.
      expect(mirror.reads).toBe(3);
      mirror.sheets["early-access"].push(["By Hand", "hand@example.com", "", "", ""]);
      clock.forward(minutes(1));
      await one.tick();
      expect(listEmails(mirror)).toEqual(["hand@example.com", "a@example.com"]);
    });
  });
});
