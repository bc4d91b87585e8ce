import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import type { MailOutcome } from "~/services/mail/mailer";
import { unsubscribe } from "~/services/suppressions/suppressions.server";
import { TokenBucket } from "~/services/outreach/token-bucket";
import { dialects } from "../databases";
import { manualAlarms, outreachOn, people, signUp, suppress, until } from "../factories/outreach";
import { accepted, deferred, refused, unauthorized, unknown, unreachable } from "../fakes/scripted-mailer";
import type { ScriptedAnswer } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

const LADDER = [minutes(10), minutes(15), minutes(30), hours(1), hours(2), hours(4)];

describe.each(dialects)("sending on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  /** A script that treats some addresses differently. */
  const treat =
    (answers: Record<string, ScriptedAnswer>) =>
    ({ to }: { to: { address: string } }) =>
      answers[to.address] ?? accepted;

  it("skips an address that unsubscribes while the send is under way, and one that was refused before", async () => {
    await signUp(database, people(5));
    await suppress(database, "person2@example.com", "refused");
    const { confirmed, dispatcher, mailer, rows, states, book } = outreachOn(database);
    const sendId = await confirmed();
    mailer.script = async ({ to }) => {
      const fourth = (await rows(sendId)).find((row) => row.address === "person4@example.com")!;
      if (to.address === "person3@example.com") await unsubscribe({ database, clock: () => 1 }, fourth.id);
      return accepted;
    };
    await dispatcher({ concurrency: 1 }).tick();
    expect(mailer.recipients).toEqual(["person1@example.com", "person3@example.com", "person5@example.com"]);
    expect(await states(sendId)).toMatchObject({
      "person2@example.com": "skipped",
      "person4@example.com": "skipped",
    });
    expect(await book(sendId)).toMatchObject({
      state: "finished",
      sent: 3,
      skipped: 2,
      skippedByReason: { unsubscribed: 1, suppressed: 1 },
    });
  });

  it("skips an address that is not plainly one address, and sends it nothing (C19)", async () => {
    const odd = [
      "a@x.example, e@x.example",
      "a@x.example\r\nBcc: e@x.example",
      '"u@g x"@h.example',
      "nobody",
    ];
    await signUp(database, [...odd, "fine@example.com"]);
    const { confirmed, dispatcher, mailer, book } = outreachOn(database);
    const sendId = await confirmed();
    await dispatcher().tick();
    expect(mailer.recipients).toEqual(["fine@example.com"]);
    expect(await book(sendId)).toMatchObject({ sent: 1, skipped: 4, skippedByReason: { invalid: 4 } });
  });

  it("keeps the server's words with each row", async () => {
    await signUp(database, people(2));
    const words = "250 OK\r\n\u0000queued   as 4F2" + "x".repeat(600);
    const { confirmed, dispatcher, rows } = outreachOn(database, () => ({ kind: "accepted", detail: words }));
    const sendId = await confirmed();
    await dispatcher().tick();
    const [row] = await rows(sendId);
    expect(row).toMatchObject({ state: "sent", attempts: 1, lease_owner: "", lease_until: 0 });
    expect(row?.detail.startsWith("250 OK queued as 4F2xxx")).toBe(true);
    expect(row?.detail).toHaveLength(500);
  });

  it("retries a temporary refusal after 10, 15, 30 minutes, 1, 2 and 4 hours, then fails (R9)", async () => {
    await signUp(database, people(2));
    const { clock, confirmed, dispatcher, mailer, rows, book } = outreachOn(
      database,
      treat({ "person1@example.com": deferred }),
    );
    const sendId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    for (const [index, wait] of LADDER.entries()) {
      expect((await rows(sendId))[0]).toMatchObject({
        state: "retrying",
        attempts: index + 1,
        not_before: clock() + wait,
        detail: "451 try again later",
      });
      expect(await book(sendId)).toMatchObject({ state: "sending", sent: 1, pending: 1, retrying: 1 });
      clock.forward(wait - 1);
      await sending.tick();
      expect(mailer.begun).toHaveLength(index + 2);
      clock.forward(1);
      await sending.tick();
      expect(mailer.begun).toHaveLength(index + 3);
    }
    expect((await rows(sendId))[0]).toMatchObject({ state: "failed", attempts: 7 });
    expect(await book(sendId)).toMatchObject({ state: "finished", sent: 1, failed: 1 });
    expect(mailer.timesOf((await rows(sendId))[0]!.message_id)).toBe(7);
  });

  it("counts the tries exactly when a server answers 451 twice and then 250 (R9)", async () => {
    await signUp(database, people(1));
    const { clock, confirmed, dispatcher, rows, book } = outreachOn(database, (_, time) =>
      time < 3 ? deferred : accepted,
    );
    const sendId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    clock.forward(minutes(10));
    await sending.tick();
    clock.forward(minutes(15));
    await sending.tick();
    expect((await rows(sendId))[0]).toMatchObject({ state: "sent", attempts: 3 });
    expect(await book(sendId)).toMatchObject({ state: "finished", sent: 1 });
  });

  it("tries what is due again before what was never tried", async () => {
    await signUp(database, people(3));
    const { clock, confirmed, dispatcher, mailer, outreach } = outreachOn(database);
    const by = { by: "a", network: "", requestId: "" };
    const sendId = await confirmed();
    mailer.script = async (_, time) => {
      if (mailer.begun.length > 1) return accepted;
      await outreach.pause(sendId, by);
      return time === 1 ? deferred : accepted;
    };
    const sending = dispatcher({ concurrency: 1 });
    await sending.tick();
    clock.forward(minutes(10));
    await outreach.resume(sendId, by);
    await sending.tick();
    expect(mailer.recipients).toEqual([1, 1, 2, 3].map((number) => `person${number}@example.com`));
  });

  it.each<[string, MailOutcome & { kind: "refused" }, boolean]>([
    ["550 without more", { kind: "refused", code: 550, detail: "550 no such user" }, true],
    ["551", { kind: "refused", code: 551, detail: "551 user not local" }, true],
    ["553", { kind: "refused", code: 553, detail: "553 mailbox name not allowed" }, true],
    ["5.1.1, whatever its code", { kind: "refused", code: 554, detail: "554 5.1.1 unknown recipient" }, true],
    ["a disabled mailbox", { kind: "refused", code: 550, detail: "550 5.2.1 mailbox disabled" }, true],
    ["a full mailbox", { kind: "refused", code: 552, detail: "552 5.2.2 mailbox full" }, false],
    ["a spam verdict", { kind: "refused", code: 554, detail: "554 looks like spam" }, false],
    ["a policy in a 550", { kind: "refused", code: 550, detail: "550 5.7.1 blocked by policy" }, false],
    [
      "a fault of our sender",
      { kind: "refused", code: 553, detail: "553 5.1.8 sender domain unknown" },
      false,
    ],
  ])(
    "fails at once on a permanent refusal and suppresses the address only if it is at fault: %s (R9)",
    async (_, outcome, suppresses) => {
      await signUp(database, people(2));
      const { confirmed, dispatcher, mailer, rows, book } = outreachOn(
        database,
        treat({ "person1@example.com": outcome }),
      );
      const sendId = await confirmed();
      await dispatcher().tick();
      const [row] = await rows(sendId);
      expect(row).toMatchObject({ state: "failed", attempts: 1, detail: outcome.detail });
      expect(await book(sendId)).toMatchObject({ state: "finished", sent: 1, failed: 1 });
      const suppressions = await database.read.selectFrom("suppressions").selectAll().execute();
      const expected = { email_key: "person1@example.com", reason: "refused", delivery_id: row?.id };
      expect(suppressions).toMatchObject(suppresses ? [expected] : []);

      // The next send: a suppressed address gets nothing (C20).
      const next = await confirmed();
      mailer.script = () => accepted;
      await dispatcher().tick();
      expect(await book(next)).toMatchObject(
        suppresses ? { sent: 1, skippedByReason: { suppressed: 1 } } : { sent: 2 },
      );
    },
  );

  it("takes the same refused address out twice at once without trouble", async () => {
    await signUp(database, people(1));
    const { confirmed, dispatcher, book } = outreachOn(database, () => refused);
    const sendIds = [await confirmed(), await confirmed()];
    await dispatcher().tick();
    for (const sendId of sendIds) expect(await book(sendId)).toMatchObject({ state: "finished", failed: 1 });
  });

  it("pauses the send with the server's words when our login is not accepted, the row unchanged, until it goes on", async () => {
    await signUp(database, people(20));
    const { confirmed, dispatcher, mailer, outreach, rows, book } = outreachOn(database, () => unauthorized);
    const sendId = await confirmed();
    const sending = dispatcher({ concurrency: 2 });
    await sending.tick();
    const paused = { state: "paused", trouble: "535 bad credentials", pending: 20, inFlight: 0, retrying: 0 };
    expect(await book(sendId)).toMatchObject(paused);
    expect(mailer.begun).toHaveLength(2);
    expect((await rows(sendId)).every((row) => row.attempts === 0 && row.detail === "")).toBe(true);
    await sending.tick();
    expect(mailer.begun).toHaveLength(2);
    mailer.script = () => accepted;
    expect(await outreach.resume(sendId, { by: "a", network: "", requestId: "" })).toEqual({ ok: true });
    await sending.tick();
    expect(await book(sendId)).toMatchObject({ state: "finished", trouble: "", sent: 20 });
  });

  it("waits 5 s, doubling to 5 min, while the server cannot be reached, uses up no tries and is never finished early (R8)", async () => {
    await signUp(database, people(3));
    const { clock, confirmed, dispatcher, mailer, rows, book } = outreachOn(database, () => unreachable);
    const sendId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    let tries = 3;
    for (const wait of [5, 10, 20, 40, 80, 160, 300, 300].map(seconds)) {
      expect(mailer.begun).toHaveLength(tries);
      expect(await book(sendId)).toMatchObject({
        state: "sending",
        trouble: "connection refused",
        pending: 3,
        inFlight: 0,
      });
      expect((await rows(sendId)).map((row) => row.attempts)).toEqual([0, 0, 0]);
      clock.forward(wait - 1);
      await sending.tick();
      expect(mailer.begun).toHaveLength(tries);
      clock.forward(1);
      await sending.tick();
      tries += 3;
    }
    mailer.script = () => accepted;
    clock.forward(minutes(5));
    await sending.tick();
    expect(await book(sendId)).toMatchObject({ state: "finished", trouble: "", sent: 3 });
    expect((await rows(sendId)).map((row) => row.attempts)).toEqual([1, 1, 1]);
  });

  it("begins a later outage with the short wait again", async () => {
    await signUp(database, people(3));
    const answers = [unreachable, unreachable, accepted, unreachable];
    const { clock, confirmed, dispatcher, outreach, book } = outreachOn(
      database,
      () => answers.shift() ?? accepted,
    );
    const sendId = await confirmed();
    const sending = dispatcher({ concurrency: 1 });
    const waits: number[] = [];
    while ((await outreach.findSend(sendId))?.state !== "finished") {
      await sending.tick();
      const { resume_at = 0 } = (await outreach.findSend(sendId)) ?? {};
      if (resume_at > clock()) waits.push(resume_at - clock());
      clock.forward(Math.max(0, resume_at - clock()));
    }
    expect(waits).toEqual([seconds(5), seconds(10), seconds(5)]);
    expect(await book(sendId)).toMatchObject({ sent: 3, trouble: "" });
  });

  it("does not end the wait when a mail that was under way before it is accepted", async () => {
    await signUp(database, people(3));
    let release: (outcome: MailOutcome) => void = () => undefined;
    const slow = new Promise<MailOutcome>((resolve) => (release = resolve));
    const { clock, confirmed, dispatcher, mailer, outreach, states } = outreachOn(
      database,
      treat({ "person1@example.com": slow, "person2@example.com": unreachable }),
    );
    const sendId = await confirmed();
    const sending = dispatcher({ concurrency: 2 });
    const ticking = sending.tick();
    await until(async () => (await outreach.findSend(sendId))?.trouble !== "");
    release(accepted);
    await ticking;
    expect(await states(sendId)).toMatchObject({
      "person1@example.com": "sent",
      "person2@example.com": "pending",
    });
    expect(await outreach.findSend(sendId)).toMatchObject({
      state: "sending",
      trouble: "connection refused",
      resume_at: clock() + seconds(5),
    });
    expect(mailer.begun).toHaveLength(2);
  });

  it("forgets the trouble with the first answer after it", async () => {
    await signUp(database, people(2));
    const answers = [unreachable, accepted, deferred];
    const { clock, confirmed, dispatcher, outreach, book } = outreachOn(
      database,
      () => answers.shift() ?? accepted,
    );
    const sendId = await confirmed();
    const sending = dispatcher({ concurrency: 1 });
    await sending.tick();
    expect(await outreach.findSend(sendId)).toMatchObject({ trouble: "connection refused" });
    clock.forward(seconds(5));
    await sending.tick();
    expect(await book(sendId)).toMatchObject({ state: "sending", trouble: "", sent: 1, retrying: 1 });
  });

  it("goes on at once when an operator says so during a wait", async () => {
    await signUp(database, people(2));
    const { confirmed, dispatcher, mailer, outreach, book } = outreachOn(database, () => unreachable);
    const sendId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    mailer.script = () => accepted;
    expect(await outreach.resume(sendId, { by: "a", network: "", requestId: "" })).toEqual({ ok: true });
    await sending.tick();
    expect(await book(sendId)).toMatchObject({ state: "finished", trouble: "", sent: 2 });
  });

  it("repeats a mail of unknown ending with its Message-ID on the ladder, and then leaves it to an admin", async () => {
    await signUp(database, people(1));
    const { clock, confirmed, dispatcher, mailer, rows, book } = outreachOn(database, () => unknown);
    const sendId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    for (const wait of LADDER) {
      expect(await rows(sendId)).toMatchObject([{ state: "retrying", not_before: clock() + wait }]);
      clock.forward(wait);
      await sending.tick();
    }
    expect(await rows(sendId)).toMatchObject([
      { state: "uncertain", attempts: 7, detail: "connection lost after the message" },
    ]);
    expect(new Set(mailer.begun.map((mail) => mail.messageId)).size).toBe(1);
    // What only a person can decide does not hold the send open.
    expect(await book(sendId)).toMatchObject({ state: "finished", uncertain: 1, pending: 0 });
  });

  it("fails a mail that cannot be composed or handed over, and sends the others (R28)", async () => {
    await signUp(database, people(4));
    const { confirmed, dispatcher, mailer, rows, book } = outreachOn(
      database,
      treat({ "person3@example.com": new TypeError("subject must not contain a line break") }),
    );
    const sendId = await confirmed();
    const sending = dispatcher({
      compose: ({ recipient, messageId, sender }) => {
        if (recipient.address === "person2@example.com") throw new Error("no template for this one");
        return { messageId, from: sender, to: recipient, subject: "", text: "", html: "", headers: {} };
      },
    });
    await sending.tick();
    expect((await rows(sendId)).map(({ state, detail }) => [state, detail])).toEqual([
      ["sent", "250 OK"],
      ["failed", "no template for this one"],
      ["failed", "subject must not contain a line break"],
      ["sent", "250 OK"],
    ]);
    expect(mailer.recipients).not.toContain("person2@example.com");
    expect(await book(sendId)).toMatchObject({ state: "finished", sent: 2, failed: 2 });
  });

  it("never has more mails begun and not on disk than its concurrency (R3)", async () => {
    await signUp(database, people(60));
    const { confirmed, dispatcher, mailer, rows } = outreachOn(database);
    const sendId = await confirmed();
    let most = 0;
    mailer.script = async () => {
      const begun = mailer.begun.length;
      const recorded = (await rows(sendId)).filter((row) => row.state === "sent").length;
      most = Math.max(most, begun - recorded);
      return accepted;
    };
    await dispatcher({ concurrency: 4 }).tick();
    expect(mailer.begun).toHaveLength(60);
    expect(most).toBe(4);
  });

  it("keeps to the rate per second", async () => {
    await signUp(database, people(12));
    const { clock, confirmed, dispatcher, mailer, outreach, book } = outreachOn(database);
    const times: number[] = [];
    mailer.script = () => {
      times.push(clock());
      return accepted;
    };
    const sendId = await confirmed();
    const alarm = (ms: number, ring: () => void) => {
      const soon = setImmediate(() => {
        clock.forward(ms);
        ring();
      });
      return () => clearImmediate(soon);
    };
    const sending = dispatcher({ rate: new TokenBucket(5, clock()), alarm });
    sending.start();
    await until(async () => (await outreach.findSend(sendId))?.state === "finished");
    await sending.stop();
    expect(times).toHaveLength(12);
    // The sixth mail after any other comes a second later, and no later than it must.
    for (let at = 5; at < times.length; at += 1)
      expect(times[at]! - times[at - 5]!).toBeGreaterThanOrEqual(1000);
    expect(times.at(-1)! - times[0]!).toBeLessThan(2600);
    expect(await book(sendId)).toMatchObject({ state: "finished", sent: 12 });
  });

  it("serves several sends in turn", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, mailer, book } = outreachOn(database);
    const sendIds = [await confirmed({ title: "A" }), await confirmed({ title: "B" })];
    await dispatcher({ concurrency: 1 }).tick();
    expect(mailer.begun.map((mail) => mail.subject).join("")).toMatch(/^(ABABAB|BABABA)$/);
    for (const sendId of sendIds) expect(await book(sendId)).toMatchObject({ state: "finished", sent: 3 });
  });

  it("is woken by a confirm, without waiting for its next look", async () => {
    await signUp(database, people(2));
    const { confirmed, dispatcher, mailer } = outreachOn(database);
    const alarms = manualAlarms();
    const sending = dispatcher({ alarm: alarms.alarm });
    sending.start();
    await until(() => alarms.asked.length === 1);
    await confirmed();
    await until(() => mailer.begun.length === 2);
    expect(alarms.asked[0]).toBe(seconds(1));
    await sending.stop();
  });

  it("says once that the database is away, waits longer each time, and goes on when it is back (R28)", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, outreach, book } = outreachOn(database);
    const sendId = await confirmed();
    let away = true;
    const flaky: Database = {
      ...database,
      get read() {
        if (away) throw new Error("the database is away");
        return database.read;
      },
      write: async (work) => {
        if (away) throw new Error("the database is away");
        return database.write(work);
      },
    };
    const said: string[] = [];
    const log = {
      error: (_: object, message: string) => said.push(`error: ${message}`),
      info: (_: object, message: string) => said.push(`info: ${message}`),
    };
    const alarms = manualAlarms();
    const sending = dispatcher({ database: flaky, alarm: alarms.alarm, log });
    sending.start();
    for (let time = 0; time < 7; time += 1) await alarms.ring();
    expect(alarms.asked.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map(seconds));
    expect(said).toEqual(["error: outreach is held up and will go on by itself"]);
    away = false;
    await alarms.ring();
    await until(async () => (await outreach.findSend(sendId))?.state === "finished");
    await sending.stop();
    expect(said).toEqual(["error: outreach is held up and will go on by itself", "info: outreach goes on"]);
    expect(await book(sendId)).toMatchObject({ sent: 3 });
  });

  it("loses no ending while the database is away after the mails went out", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, mailer, rows, book } = outreachOn(database);
    const sendId = await confirmed();
    let away = false;
    const flaky: Database = {
      ...database,
      write: async (work) => {
        if (away) throw new Error("the database is away");
        return database.write(work);
      },
    };
    mailer.script = () => {
      away = true;
      return accepted;
    };
    const sending = dispatcher({ database: flaky });
    await expect(sending.tick()).rejects.toThrow("the database is away");
    expect((await rows(sendId)).map((row) => row.state)).toEqual(["claimed", "claimed", "claimed"]);
    mailer.script = () => accepted;
    away = false;
    await sending.tick();
    expect(mailer.begun).toHaveLength(3);
    expect(await book(sendId)).toMatchObject({ state: "finished", sent: 3 });
  });
});
