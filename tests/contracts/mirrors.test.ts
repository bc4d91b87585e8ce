import { describe, expect, it, onTestFinished, vi } from "vitest";
import { days, hours, minutes, seconds } from "~/lib/durations";
import type { SubmissionKind } from "~/lib/form-fields";
import { mirrorQueue } from "~/services/mirrors/mirror-rows.server";
import {
  claimSheet,
  getSheet,
  type SheetWriter,
  withLeaseRenewal,
} from "~/services/mirrors/mirror-sheets.server";
import { createTestCorrections } from "../factories/corrections";
import { listEmails, toEmails, createTestMirrors } from "../factories/mirrors";
import { operator } from "../factories/outreach";
import { expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { createLeaseTime, createTestClock } from "../factories/time";
import { LATER, ScriptedMirror } from "../fakes/scripted-mirror";
import { waitUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

const MISCONFIGURED = {
  kind: "misconfigured",
  detail: "No such sheet: look at SHEET_EARLY_ACCESS_ID",
} as const;
/** A mirror that can only append. */
const APPENDING = { hasPlaces: false, canRead: true, batch: 1 };
const UNREADABLE = { hasPlaces: false, canRead: false, batch: 1 };

describeOnDatabases("the mirror on %s", ({ database }) => {
  /** Creates a mirror, and signups of the addresses with these letters. */
  async function setUp(letters = "", options?: ConstructorParameters<typeof ScriptedMirror>[0]) {
    const parts = createTestMirrors(database, new ScriptedMirror(options));
    await parts.signUp(...toEmails(letters));
    return parts;
  }

  /** Lists the addresses of the accepted signups. */
  async function listSignups(): Promise<string[]> {
    const signups = database.read
      .selectFrom("submissions")
      .select("email")
      .where("kind", "=", "early-access");
    const rows = await signups.where("state", "=", "accepted").orderBy("id").execute();
    return rows.map(({ email }) => email);
  }

  it("copies each form in the specification's columns, in order", async () => {
    const { mirror, tick, inquire, sheet } = await setUp("abc");
    await inquire("grace@example.com", "May I see it?");
    await tick();
    expect(listEmails(mirror)).toEqual(toEmails("abc"));
    const time = expect.stringMatching(/^2026-11-21T08:00:00\.\d{3}Z$/);
    expect(mirror.sheets["early-access"][0]).toEqual(["Name of a", "a@example.com", "Acme", "manager", time]);
    expect(mirror.sheets["contact-form"]).toEqual([
      [time, "Grace Hopper", "grace@example.com", "support", "May I see it?"],
    ]);
    expect(mirror.sheets["updates-signup"]).toEqual([[time, "Grace Hopper", "grace@example.com"]]);
    expect(await sheet()).toMatchObject({ waiting: 0, drifted: 0, problem: "" });
  });

  it("writes queued submissions in batches of the mirror's size", async () => {
    const { mirror, tick } = await setUp("abcdefghij", { batch: 4 });
    await tick();
    expect(listEmails(mirror)).toEqual(toEmails("abcdefghij"));
    expect(mirror.writes).toBe(3);
  });

  it("copies what was released or restored, and only accepted rows", async () => {
    const { mirror, tick, signUp, quarantine, deletions, findId, states, clock } = await setUp();
    await tick();
    await signUp("a@example.com");
    await storeSubmissions(database, [
      { email: "bot@example.com", state: "quarantined", quarantine_reason: "honeypot", created_at: clock() },
      { email: "unsure@example.com", kind: "updates-signup", state: "unconfirmed" },
    ]);
    await tick();
    expect(listEmails(mirror)).toEqual(toEmails("a"));
    await quarantine.release({ ids: [await findId("bot@example.com")] }, operator);
    const ids = [await findId("a@example.com")];
    const deletion = await deletions.delete({ kind: "early-access", ids }, operator);
    await tick();
    expect(listEmails(mirror)).toEqual(["", "bot@example.com"]);
    await deletions.undo(deletion!, operator);
    await tick();
    expect(listEmails(mirror)).toEqual(["a@example.com", "bot@example.com"]);
    expect(await states()).toEqual({ written: 2 });
  });

  // R11
  it("never writes an erased person, and empties the row of a person erased later", async () => {
    const { mirror, tick, erase, states } = await setUp("abc");
    await erase("b@example.com");
    await tick();
    expect(listEmails(mirror)).toEqual(toEmails("ac"));
    await erase("a@example.com");
    await tick();
    expect(mirror.sheets["early-access"][0]).toEqual(["", "", "", "", ""]);
    expect(listEmails(mirror)[1]).toBe("c@example.com");
    expect(await states()).toEqual({ written: 2 });
  });

  it("empties the row of a person erased during its write", async () => {
    const { mirror, tick, erase } = await setUp("ab");
    mirror.duringWrites.push(() => erase("a@example.com"));
    await tick();
    expect(listEmails(mirror)).toEqual(["", "b@example.com"]);
    const rows = await database.read.selectFrom("mirror_rows").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("a@example");
  });

  // R11
  it("neither empties another row nor imports the erased person when people sorted the sheet", async () => {
    const { mirror, tick, erase, mirrors, states, sheet } = await setUp("abc");
    await tick();
    const rows = mirror.sheets["early-access"];
    const written = structuredClone(rows);
    rows.reverse();
    await erase("a@example.com");
    await tick();
    expect(rows).toEqual(written.toReversed());
    expect((await sheet()).undecided).toMatchObject([{ state: "left", place: 1, email: null }]);
    await mirrors.repair("early-access", operator);
    await tick();
    expect(listEmails(mirror)).toEqual(toEmails("cbc"));
    expect(await states()).toEqual({ left: 1, written: 2 });
    expect(await listSignups()).toEqual(toEmails("bc"));
  });

  it("does not import an erased person whose row people moved below all others", async () => {
    const { mirror, tick, erase, states } = await setUp("abc");
    await tick();
    const rows = mirror.sheets["early-access"];
    rows.push(rows.shift()!);
    rows.unshift(["By Hand", "hand@example.com", "", "", ""]);
    await erase("a@example.com");
    await tick();
    expect(listEmails(mirror)).toEqual(["hand@example.com", ...toEmails("bca")]);
    expect(await states()).toEqual({ left: 1, written: 2, foreign: 1 });
    expect(await listSignups()).toEqual(toEmails("bc"));
  });

  it("writes a restored row over nobody when people sorted the sheet", async () => {
    const { mirror, tick, findId, deletions, states, clock, sheet } = await setUp("abc");
    await tick();
    mirror.sheets["early-access"].reverse();
    const ids = [await findId("a@example.com")];
    const deletion = await deletions.delete({ kind: "early-access", ids }, operator);
    await tick();
    await deletions.undo(deletion!, operator);
    await tick();
    expect(listEmails(mirror)).toEqual(toEmails("cba"));
    expect(await states()).toEqual({ written: 3 });
    clock.forward(minutes(10));
    await tick();
    expect(await sheet()).toMatchObject({ drifted: 2 });
  });

  it("leaves a sheet to the instance that holds its lease, until the lease expires", async () => {
    const { mirror, tick, createWorker, signUp, clock } = await setUp("", { canRead: false });
    await tick();
    await signUp("a@example.com");
    const other = createWorker({ instance: "two:3000" });
    await other.tick();
    expect(mirror.writes).toBe(0);
    clock.forward(seconds(31));
    await other.tick();
    expect(listEmails(mirror)).toEqual(toEmails("a"));
  });

  // R40
  it("is not written by a second living process of the same name", async () => {
    const { mirror, tick, createWorker, signUp, clock } = await setUp("", { canRead: false });
    await tick();
    await signUp("a@example.com");
    const namesake = createWorker();
    await namesake.tick();
    expect(mirror.writes).toBe(0);
    clock.forward(seconds(5));
    await namesake.tick();
    expect(listEmails(mirror)).toEqual(toEmails("a"));
  });

  // R22
  it("renews the lease of a sheet during long work", async () => {
    const clock = createTestClock();
    const leaseTime = createLeaseTime(clock);
    const [one, two] = ["one/1", "two/1"].map((owner) => ({ owner, leaseTime, isStarting: false }));
    const getLeaseEnd = async () => (await getSheet(database.read, "early-access")).lease_until;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const claim = (writer: SheetWriter) => database.write((trx) => claimSheet(trx, "early-access", writer));
    expect(await claim(one!)).toBe(true);
    await withLeaseRenewal(database, "early-access", one!, async () => {
      const before = await getLeaseEnd();
      clock.forward(seconds(20));
      vi.advanceTimersByTime(1000);
      await waitUntil(async () => (await getLeaseEnd()) > before);
      clock.forward(seconds(20));
      expect(await claim(two!)).toBe(false);
    });
    clock.forward(seconds(11));
    expect(await claim(two!)).toBe(true);
  });

  it("queues no row without a mirror", async () => {
    await storeSubmissions(database, [{ email: "a@example.com" }]);
    const { deletions, findId } = await setUp();
    await deletions.delete({ kind: "early-access", ids: [await findId("a@example.com")] }, operator);
    expect(await database.read.selectFrom("mirror_rows").selectAll().execute()).toEqual([]);
  });

  it("queues a submission once, however often it is added", async () => {
    const { states } = await setUp();
    const ids = await storeSubmissions(database, [{ email: "a@example.com" }]);
    for (let time = 0; time < 2; time += 1) {
      await database.write((trx) => mirrorQueue.add(trx, "early-access", ids));
    }
    expect(await states()).toEqual({ waiting: 1 });
  });

  describe("with rows that people wrote into the sheet", () => {
    it("imports new people at the first connection, and writes the others once", async () => {
      const { mirror, tick, signUp, states, findId } = await setUp();
      mirror.sheets["early-access"].push(
        ["Ada Byron", "ADA@example.com", "Engines", "Developer", "2026-11-01T10:00:00.000Z"],
        ["Total", "", "", "", "2"],
        ["Grace Hopper", "grace@example.com", "", "CTO", ""],
        ["Grace again", "grace@example.com", "", "", ""],
      );
      const [known] = await storeSubmissions(database, [{ email: "ada@example.com" }]);
      await signUp("x@example.com");
      await tick();
      const theirs = ["ADA@example.com", "", "grace@example.com", "grace@example.com"];
      expect(listEmails(mirror)).toEqual([...theirs, "x@example.com"]);
      expect(await states()).toEqual({ written: 3, foreign: 2 });
      expect(await findId("ada@example.com")).toBe(known);
      const id = await findId("grace@example.com");
      const submission = database.read.selectFrom("submissions").selectAll().where("id", "=", id);
      const imported = { state: "accepted", name: "Grace Hopper", role: "other", company: "" };
      expect(await submission.executeTakeFirstOrThrow()).toMatchObject(imported);
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

    it("queues what was stored without a mirror, for another sheet too", async () => {
      const { mirror, createWorker, signUp, states, clock } = await setUp();
      await storeSubmissions(database, [{ email: "old@example.com" }]);
      await signUp("a@example.com");
      await createWorker().tick();
      expect(listEmails(mirror)).toEqual(["old@example.com", "a@example.com"]);
      await storeSubmissions(database, [{ email: "between@example.com" }]);
      clock.forward(seconds(5));
      await createWorker().tick();
      expect(listEmails(mirror)).toContain("between@example.com");
      const other = new ScriptedMirror();
      clock.forward(seconds(5));
      await createWorker({ target: "another sheet", to: other }).tick();
      expect(listEmails(other).toSorted()).toEqual(listEmails(mirror).toSorted());
      expect(await states()).toEqual({ written: 3 });
    });

    it("leaves a sheet alone once another instance has connected another one", async () => {
      const { mirror, tick, createWorker, signUp, clock } = await setUp("a");
      await tick();
      const other = new ScriptedMirror();
      const restarted = createWorker({ target: "another sheet", instance: "two:3000", to: other });
      clock.forward(seconds(31));
      await restarted.tick();
      await signUp("b@example.com");
      clock.forward(seconds(31));
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("a"));
      await restarted.tick();
      expect(listEmails(other)).toEqual(toEmails("ab"));
    });

    it.each([{ hasPlaces: true }, APPENDING])(
      "does not import people erased before their sheet could be read, with %o",
      async (options) => {
        const { mirror, tick, createWorker, erase, clock, states, sheet } = await setUp("abc", UNREADABLE);
        await tick();
        await erase("a@example.com");
        await tick();
        await erase("b@example.com");
        const readable = new ScriptedMirror(options);
        readable.sheets["early-access"].push(...mirror.sheets["early-access"]);
        clock.forward(seconds(5));
        await createWorker({ target: "read back", to: readable }).tick();
        expect(await listSignups()).toEqual(toEmails("c"));
        expect(listEmails(readable)).toEqual(toEmails("abc"));
        expect(await states()).toEqual({ left: 2, foreign: 2, written: 1 });
        expect((await sheet()).undecided).toMatchObject([
          { state: "left", place: null },
          { state: "left", place: null },
        ]);
      },
    );

    it("sends nothing again to a target that cannot be read", async () => {
      const { mirror, createWorker, clock } = await setUp("ab", UNREADABLE);
      await createWorker().tick();
      clock.forward(seconds(5));
      await createWorker({ target: "deployed again" }).tick();
      expect(listEmails(mirror)).toEqual(toEmails("ab"));
    });

    it("imports rows added below, and writes new submissions under them", async () => {
      const { mirror, tick, signUp, clock, states } = await setUp("a");
      await tick();
      mirror.sheets["early-access"].push(["By Hand", "hand@example.com", "", "", ""]);
      await signUp("b@example.com");
      await tick();
      expect(listEmails(mirror)).toEqual(["a@example.com", "hand@example.com", "b@example.com"]);
      mirror.sheets["early-access"].push(["Late", "late@example.com", "", "", ""]);
      clock.forward(minutes(10));
      await tick();
      expect(await states()).toEqual({ written: 4 });
      await expectCountsToAgree(database);
    });

    it("counts changed and removed rows, and mends them in a repair", async () => {
      const { mirror, tick, clock, sheet, mirrors } = await setUp("abcde");
      await tick();
      const rows = mirror.sheets["early-access"];
      const before = structuredClone(rows);
      rows[1]![2] = "Another company";
      rows[3] = ["Typed Over", "over@example.com", "", "", ""];
      rows.splice(4, 1);
      clock.forward(minutes(10));
      await tick();
      expect(await sheet()).toMatchObject({ drifted: 3, waiting: 0 });
      expect(rows[1]![2]).toBe("Another company");
      await mirrors.repair("early-access", operator);
      await tick();
      expect(rows.slice(0, 5)).toEqual(before);
      expect(listEmails(mirror)).toEqual([...toEmails("abcde"), "over@example.com"]);
      expect(await sheet()).toMatchObject({ drifted: 0, waiting: 0, is_repair_requested: 0 });
    });

    it.each([{ hasPlaces: true }, APPENDING])(
      "knows a person by the address before a correction, with %o",
      async (options) => {
        const { mirror, tick, findId, mirrors } = await setUp("a", options);
        await tick();
        const id = await findId("a@example.com");
        await createTestCorrections(database).corrected(id, { email: "ada@example.com" });
        mirror.sheets["early-access"][0]![2] = "Another company";
        await mirrors.repair("early-access", operator);
        await tick();
        expect(await listSignups()).toEqual(["ada@example.com"]);
      },
    );

    it("does a repair that is requested during a check", async () => {
      const { mirror, tick, clock, sheet, mirrors } = await setUp("a");
      await tick();
      mirror.sheets["early-access"][0]![2] = "Another company";
      clock.forward(minutes(10));
      const repair = async (kind: SubmissionKind) =>
        kind === "early-access" && mirrors.repair(kind, operator);
      mirror.duringReads.push(repair, repair, repair);
      await tick();
      expect(await sheet()).toMatchObject({ drifted: 1, is_repair_requested: 1 });
      await tick();
      expect(mirror.sheets["early-access"][0]![2]).toBe("Acme");
      expect(await sheet()).toMatchObject({ drifted: 0, is_repair_requested: 0 });
    });

    it("reads a sheet once when it connects it", async () => {
      const { mirror, tick, clock } = await setUp();
      mirror.readEvents.push(LATER);
      await tick();
      expect(mirror.reads).toBe(3);
      clock.forward(minutes(1));
      await tick();
      expect(mirror.reads).toBe(4);
    });

    it("appends removed rows again in a repair of an append-only mirror", async () => {
      const { mirror, tick, clock, sheet, mirrors } = await setUp("abcd", APPENDING);
      await tick();
      mirror.sheets["early-access"].splice(1, 1);
      // The remote service's own time is no change.
      mirror.sheets["early-access"][0]![4] = "11/21/2026 9:00:05";
      clock.forward(minutes(10));
      await tick();
      expect((await sheet()).drifted).toBe(1);
      await mirrors.repair("early-access", operator);
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("acdb"));
    });

    it("writes nothing while the sheet cannot be read, so that it overwrites nobody", async () => {
      const { mirror, tick, clock, sheet } = await setUp("a");
      mirror.readEvents.push(LATER, LATER, LATER);
      for (let time = 0; time < 5; time += 1) await tick();
      expect(await sheet()).toMatchObject({ problem: "deferred", connected_at: null });
      // One read per form: none is repeated before its retry time.
      expect(mirror.reads).toBe(3);
      mirror.sheets["early-access"].push(["By Hand", "hand@example.com", "", "", ""]);
      clock.forward(minutes(1));
      await tick();
      expect(listEmails(mirror)).toEqual(["hand@example.com", "a@example.com"]);
    });
  });

  describe("with a problem", () => {
    // R11
    it("backs off, respects a requested delay, and continues by itself after days", async () => {
      const { mirror, tick, signUp, clock, sheet, logged } = await setUp();
      await tick();
      await signUp(...toEmails("abc"));
      const waits = [];
      for (let failure = 0; failure < 12; failure += 1) {
        mirror.writeEvents.push(LATER);
        await tick();
        const deferred = await sheet();
        expect(deferred).toMatchObject({ problem: "deferred", detail: "429 later", waiting: 3 });
        const wait = deferred.not_before - clock();
        waits.push(wait / 1000);
        await tick();
        clock.forward(wait);
      }
      expect(waits).toEqual([0.75, 1.5, 3, 6, 12, 24, 48, 96, 192, 225, 225, 225]);
      mirror.writeEvents.push({ ...LATER, retryAfterMs: minutes(40) });
      await tick();
      expect((await sheet()).not_before).toBe(clock() + minutes(40));
      clock.forward(minutes(60 * 24 * 3));
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("abc"));
      expect(await sheet()).toMatchObject({ problem: "", waiting: 0 });
      expect(logged).toEqual(["the mirror cannot be read or written"]);
    });

    it("waits four hours at most, however long a delay is requested", async () => {
      const { mirror, tick, signUp, clock, sheet } = await setUp();
      await tick();
      await signUp("a@example.com");
      mirror.writeEvents.push({ ...LATER, retryAfterMs: days(400) });
      await tick();
      expect((await sheet()).not_before).toBe(clock() + hours(4));
      clock.forward(hours(4));
      await tick();
      expect(listEmails(mirror)).toEqual(["a@example.com"]);
    });

    // R18
    it("neither waits longer nor is checked later when the clock is set back by a day", async () => {
      const { mirror, tick, signUp, clock, sheet } = await setUp();
      await tick();
      await signUp("a@example.com");
      mirror.writeEvents.push(LATER);
      await tick();
      expect(await sheet()).toMatchObject({ problem: "deferred" });
      clock.forward(-days(1));
      await tick();
      expect(listEmails(mirror)).toEqual(["a@example.com"]);
      expect(await sheet()).toMatchObject({ problem: "" });
      mirror.sheets["early-access"].push(["By Hand", "hand@example.com", "", "", ""]);
      clock.forward(-days(1));
      await tick();
      expect(await listSignups()).toContain("hand@example.com");
    });

    it("logs a new outage after a check succeeded, and retries as soon as at first", async () => {
      const { mirror, tick, clock, sheet, logged } = await setUp();
      await tick();
      for (let outage = 1; outage <= 2; outage += 1) {
        clock.forward(minutes(10));
        mirror.readEvents.push(LATER, LATER, LATER);
        await tick();
        expect((await sheet()).not_before).toBe(clock() + 750);
        expect(logged).toHaveLength(3 * outage);
        clock.forward(minutes(1));
        await tick();
        expect(await sheet()).toMatchObject({ problem: "" });
      }
    });

    it("no longer shows a problem when the mirror answered with a refusal", async () => {
      const { mirror, tick, clock, sheet } = await setUp("a", UNREADABLE);
      mirror.writeEvents.push(LATER);
      await tick();
      expect(await sheet()).toMatchObject({ problem: "deferred" });
      mirror.refuses = () => true;
      clock.forward(minutes(1));
      await tick();
      expect(await sheet()).toMatchObject({ problem: "", detail: "", undecided: [{ state: "refused" }] });
    });

    it("stops at a wrong setting until an operator retries or the server restarts", async () => {
      const { mirror, tick, createWorker, signUp, clock, sheet, mirrors } = await setUp();
      await tick();
      await signUp("a@example.com");
      mirror.writeEvents.push(MISCONFIGURED);
      await tick();
      clock.forward(minutes(60));
      await tick();
      expect(mirror.writes).toBe(1);
      const stopped = { problem: "misconfigured", detail: MISCONFIGURED.detail, waiting: 1 };
      expect(await sheet()).toMatchObject(stopped);
      mirror.writeEvents.push(MISCONFIGURED);
      await mirrors.retry("early-access", operator);
      await tick();
      expect(mirror.writes).toBe(2);
      clock.forward(seconds(5));
      await createWorker().tick();
      expect(listEmails(mirror)).toEqual(toEmails("a"));
    });

    it("skips a refused row, keeps its reason, and writes it when an operator says so", async () => {
      const { mirror, tick, sheet, mirrors } = await setUp("abcd");
      mirror.refuses = (row) => row[1] === "b@example.com";
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("acd"));
      const { undecided } = await sheet();
      expect(undecided).toMatchObject([{ state: "refused", detail: "not this one", email: "b@example.com" }]);
      mirror.refuses = () => false;
      expect(await mirrors.decide(undecided[0]!.id, "again", operator)).toBe(true);
      expect(await mirrors.decide(undecided[0]!.id, "again", operator)).toBe(false);
      await tick();
      expect(listEmails(mirror).at(-1)).toBe("b@example.com");
    });

    it.each([
      { hasPlaces: true, canRead: true, batch: 3 },
      { hasPlaces: true, canRead: false, batch: 3 },
      APPENDING,
    ])("writes every row once when responses are lost, with %o", async (options) => {
      const { mirror, tick, clock, states } = await setUp("abcdefg", options);
      for (const event of ["applied", "lost", LATER, "applied"] as const) {
        mirror.writeEvents.push(event);
        await tick();
        clock.forward(minutes(5));
      }
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("abcdefg"));
      expect(await states()).toEqual({ written: 7 });
    });

    it.each([
      { hasPlaces: true, canRead: true, batch: 3 },
      { hasPlaces: true, canRead: false, batch: 3 },
      APPENDING,
    ])("writes a row once that is corrected while the response was lost, with %o", async (options) => {
      const { mirror, tick, clock, findId, states, sheet } = await setUp("a", options);
      mirror.writeEvents.push("applied");
      await tick();
      const id = await findId("a@example.com");
      await createTestCorrections(database).corrected(id, { email: "ada@example.com" });
      for (let time = 0; time < 2; time += 1) {
        clock.forward(minutes(10));
        await tick();
      }
      expect(listEmails(mirror)).toHaveLength(1);
      expect(await states()).toEqual({ written: 1 });
      expect(await sheet()).toMatchObject({ drifted: 0 });
      expect(await database.read.selectFrom("submissions").select("email").execute()).toEqual([
        { email: "ada@example.com" },
      ]);
    });

    it.each([
      [{ written: 1 }, "can be repeated", {}],
      [{ uncertain: 1 }, "cannot be repeated", APPENDING],
    ])("resolves as %o what an earlier version wrote that %s", async (resolved, _, options) => {
      const { mirror, tick, clock, states } = await setUp("a", options);
      mirror.writeEvents.push("applied");
      await tick();
      await database.write((trx) => trx.updateTable("mirror_rows").set({ sent_fingerprint: "" }).execute());
      clock.forward(minutes(1));
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("a"));
      expect(await states()).toEqual(resolved);
    });

    it("asks an operator about a lost response, and obeys", async () => {
      const { mirror, tick, clock, sheet, mirrors, states } = await setUp("abcd", UNREADABLE);
      for (const event of ["applied", "lost"] as const) {
        mirror.writeEvents.push(event);
        await tick();
        clock.forward(minutes(1));
      }
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("acd"));
      const { undecided } = await sheet();
      expect(undecided.map(({ state, email }) => [state, email])).toEqual([
        ["uncertain", "a@example.com"],
        ["uncertain", "b@example.com"],
      ]);
      await mirrors.decide(undecided[0]!.id, "done", operator);
      await mirrors.decide(undecided[1]!.id, "again", operator);
      await tick();
      expect(listEmails(mirror)).toEqual(toEmails("acdb"));
      expect(await states()).toEqual({ written: 4 });
    });

    it("keeps an uncertain row uncertain when it is deleted and restored", async () => {
      const { mirror, tick, clock, findId, deletions, states } = await setUp("a", UNREADABLE);
      mirror.writeEvents.push("lost");
      await tick();
      clock.forward(minutes(1));
      await tick();
      const ids = [await findId("a@example.com")];
      const deletion = await deletions.delete({ kind: "early-access", ids }, operator);
      await tick();
      expect(await states()).toEqual({ left: 1 });
      await deletions.undo(deletion!, operator);
      await tick();
      expect(await states()).toEqual({ uncertain: 1 });
    });

    it("empties the row of a person erased while the response was lost", async () => {
      const { mirror, tick, erase, clock, states } = await setUp("abc");
      mirror.writeEvents.push("applied");
      await tick();
      mirror.duringReads.push(() => erase("b@example.com"));
      clock.forward(minutes(1));
      await tick();
      expect(listEmails(mirror)).toEqual(["a@example.com", "", "c@example.com"]);
      expect(await states()).toEqual({ written: 3 });
    });

    it("does not import a person erased while the response of an append-only mirror was lost", async () => {
      const { mirror, tick, erase, clock, states } = await setUp("a", APPENDING);
      mirror.writeEvents.push("applied");
      await tick();
      await erase("a@example.com");
      for (let time = 0; time < 2; time += 1) {
        clock.forward(minutes(10));
        await tick();
      }
      expect(await listSignups()).toEqual([]);
      expect(await states()).toEqual({ left: 1 });
    });

    it("lists the rows that only a person can remove from an append-only mirror", async () => {
      const { tick, erase, sheet, mirrors, states } = await setUp("abc", APPENDING);
      await tick();
      await erase("b@example.com");
      await tick();
      const { undecided } = await sheet();
      expect(undecided).toMatchObject([{ state: "left", place: 2, name: null, email: null }]);
      // A repair before or after the decision does not import the row as a new person.
      await mirrors.repair("early-access", operator);
      await tick();
      await mirrors.decide(undecided[0]!.id, "done", operator);
      await mirrors.repair("early-access", operator);
      await tick();
      expect(await states()).toEqual({ written: 2, foreign: 1 });
      await expectCountsToAgree(database);
    });

    it("appends a removed person who signs up again once", async () => {
      const { mirror, tick, findId, deletions, signUp, sheet, mirrors } = await setUp("a", APPENDING);
      await tick();
      await deletions.delete({ kind: "early-access", ids: [await findId("a@example.com")] }, operator);
      await tick();
      mirror.sheets["early-access"].length = 0;
      await mirrors.decide((await sheet()).undecided[0]!.id, "done", operator);
      await signUp("a@example.com");
      await tick();
      await mirrors.repair("early-access", operator);
      await tick();
      expect(listEmails(mirror)).toEqual(["a@example.com"]);
    });
  });
});
