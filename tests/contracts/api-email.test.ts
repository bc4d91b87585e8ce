import { expect, it } from "vitest";
import { hours, seconds } from "~/lib/durations";
import {
  createApiEmailKind,
  createSendApiEmail,
  type ApiMessage,
} from "~/services/api-email/send-api-email.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { newId } from "~/services/service-deps";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createLateOutcome, suppress } from "../factories/outreach";
import { caller, toApiToken } from "../factories/tokens";
import { createManualTimers, createTestClock, type TestClock } from "../factories/time";
import { createTestEmails, listEmails } from "../factories/transactional-emails";
import {
  accepted,
  deferred,
  refused,
  ScriptedMailer,
  unauthorized,
  neverSettles,
  unknown,
  unreachable,
  type Script,
} from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

const email = {
  kind: "send-email",
  to: "ada@example.com",
  subject: "Hello",
  html: "<p>Hello</p>",
  fields: ["Hello", "<p>Hello</p>"],
} as const satisfies ApiMessage;

describeOnDatabases("an email of the API on %s", ({ database }) => {
  interface Options {
    perSecond?: number;
    script?: Script;
    clock?: TestClock;
    mailer?: ScriptedMailer;
  }
  function setUp({ perSecond = 0, script, ...given }: Options = {}) {
    const { clock = createTestClock(), mailer = new ScriptedMailer(script) } = given;
    const { setTimer, forward } = createManualTimers();
    const allowance = new DailyAllowance(10);
    const kind = createApiEmailKind({ clock, newId });
    const rate = new TokenBucket(perSecond, clock());
    const emails = createTestEmails(database, clock, { mailer, allowance, rate, kinds: [kind] });
    const { worker, sweep } = emails;
    const sender = { name: "The team", address: "team@example.com" };
    const send = createSendApiEmail({ emails, kind, sender, setTimer });
    const by =
      (token: string) =>
      (idempotencyKey?: string, message: Partial<ApiMessage> = {}) =>
        send({ ...email, ...message }, { token: toApiToken(token), idempotencyKey, from: caller });
    return { clock, mailer, allowance, by, call: by("t"), waitFor: forward, worker, sweep };
  }
  /** Lists the keys that stand for an email: that of a skipped one is free. */
  const keys = async () => {
    const emails = (await listEmails(database)).filter(({ id, unique_key }) => id !== unique_key);
    return emails.filter(({ state }) => state !== "skipped").map(({ unique_key }) => unique_key);
  };

  it("is sent from the team as HTML with a text part, and recorded", async () => {
    const { mailer, call } = setUp();
    const outcome = await call(undefined, { subject: "Hi\tthere" });
    const [sent] = mailer.received;
    const expected = { kind: "sent", detail: accepted.detail, isRepeated: false, messageId: sent?.messageId };
    expect(outcome).toEqual(expected);
    expect(sent).toMatchObject({
      from: { name: "The team", address: "team@example.com" },
      to: { name: "", address: "ada@example.com" },
      subject: "Hi there",
      html: email.html,
      text: "Hi there\n\nThis email was written in HTML. Please open it in a program that shows HTML.\n",
      autoSubmitted: "auto-generated",
      headers: {
        "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
      },
    });
    const entry = { actor: "grace@example.com", action: "send-api-email", outcome: "ok" };
    expect(await readAudit(database)).toMatchObject([
      { ...entry, subject: "ada@example.com, by the token News (fd_12345678...)" },
    ]);
  });

  it("counts towards the daily allowance once a mail server has answered, or may have", async () => {
    const { clock, mailer, allowance, call } = setUp();
    const countUsed = async () => (await allowance.getToday(database.read, clock()))?.used;
    for (const [outcome, used] of [
      [accepted, 1],
      [unknown, 2],
      [unreachable, 2],
      [refused, 3],
    ] as const) {
      mailer.script = () => outcome;
      await call();
      expect(await countUsed()).toBe(used);
    }
  });

  // C26
  it("is sent once for the same key and content, with the same result", async () => {
    const { clock, mailer, by, call } = setUp();
    const first = await call("k");
    expect(await call("k")).toEqual({ ...first, isRepeated: true });
    clock.forward(hours(24) - 1);
    expect(await call("k")).toEqual({ ...first, isRepeated: true });
    expect(mailer.received).toHaveLength(1);
    // Another token has other keys, and after a day a key stands for another action.
    expect(await by("another")("k")).toMatchObject({ kind: "sent", isRepeated: false });
    clock.forward(1);
    expect(await call("k")).toMatchObject({ kind: "sent", isRepeated: false });
    expect(mailer.received).toHaveLength(3);
  });

  // C26
  it("is refused for the same key with other content", async () => {
    const { mailer, call } = setUp();
    await call("k");
    const others: Partial<ApiMessage>[] = [
      { to: "eve@example.com" },
      { kind: "send-reminder" },
      { fields: ["Bye", "<p>Hello</p>"] },
      { fields: [undefined, "<p>Hello</p>"] },
    ];
    for (const other of others) expect(await call("k", other)).toEqual({ kind: "other-request" });
    expect(mailer.recipients).toEqual(["ada@example.com"]);
  });

  // C26
  it("is the same for its key when another version composes it differently", async () => {
    const { mailer, call } = setUp();
    const first = await call("k");
    const composed = { subject: "Hello from us", html: "<h1>Hello</h1>", text: "Hello" };
    expect(await call("k", composed)).toEqual({ ...first, isRepeated: true });
    expect(mailer.received).toHaveLength(1);
  });

  // C26
  it("is sent once for twenty simultaneous calls with one key", async () => {
    const { mailer, call } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => call("k")));
    expect(mailer.received).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "sent").length).toBeGreaterThan(0);
    expect(outcomes.every(({ kind }) => kind === "sent" || kind === "under-way")).toBe(true);
  });

  it("stays refused under its key after a permanent refusal", async () => {
    const { mailer, call } = setUp({ script: () => refused });
    expect(await call("k")).toEqual({ kind: "refused", detail: refused.detail, isRepeated: false });
    expect(await isSuppressed(database, email.to)).toBe(true);
    expect(await call("k")).toMatchObject({ kind: "refused", isRepeated: true });
    expect(await call("another")).toEqual({ kind: "suppressed", reason: "refused" });
    expect(mailer.received).toHaveLength(1);
    expect((await readAudit(database)).map(({ outcome }) => outcome)).toEqual(["failed", "refused"]);
  });

  it.each([
    ["unavailable", deferred],
    ["unavailable", unreachable],
    ["unauthorized", unauthorized],
  ])("is %s and leaves its key free after %j", async (kind, answer) => {
    const { mailer, call } = setUp();
    mailer.script = (_, time) => (time === 1 && mailer.received.length === 1 ? answer : accepted);
    expect(await call("k")).toMatchObject({ kind, detail: answer.detail });
    expect(await keys()).toEqual([]);
    expect(await isSuppressed(database, email.to)).toBe(false);
    expect(await readAudit(database)).toEqual([]);
    expect(await call("k")).toMatchObject({ kind: "sent", isRepeated: false });
  });

  // R32
  it("is answered within 30 s, and its key returns the result later", async () => {
    const { outcome, release } = createLateOutcome();
    const { mailer, call, waitFor } = setUp({ script: () => outcome });
    const first = call("k");
    await expect.poll(() => mailer.received.length).toBe(1);
    waitFor(seconds(30));
    const detail = "the mail server has not answered yet";
    expect(await first).toEqual({ kind: "uncertain", isRepeated: false, detail });
    expect(await call("k")).toEqual({ kind: "under-way" });
    release(accepted);
    await expect.poll(() => call("k")).toMatchObject({ kind: "sent", isRepeated: true });
    expect(mailer.received).toHaveLength(1);
    expect((await readAudit(database)).map(({ outcome }) => outcome)).toEqual(["ok"]);
  });

  // R32
  it("is uncertain when it may have arrived, and never sent again under its key", async () => {
    const { mailer, call } = setUp({ script: () => unknown });
    expect(await call("k")).toMatchObject({ kind: "uncertain", isRepeated: false });
    mailer.script = () => accepted;
    expect(await call("k")).toMatchObject({ kind: "uncertain", isRepeated: true });
    expect(mailer.received).toHaveLength(1);
  });

  it("is not sent to a suppressed address, and leaves its key free", async () => {
    const { mailer, call } = setUp();
    await suppress(database, email.to, "unsubscribed");
    expect(await call("k", { to: "ADA@example.com" })).toEqual({
      kind: "suppressed",
      reason: "unsubscribed",
    });
    await suppress(database, email.to, "refused");
    expect(await call("k")).toEqual({ kind: "suppressed", reason: "refused" });
    expect([mailer.received, await keys()]).toEqual([[], []]);
  });

  // R35
  it.each([
    ["has it", true, { kind: "sent", isRepeated: true }, 1, ["ok"]],
    ["does not have it", false, { kind: "sent", isRepeated: false }, 2, ["ok"]],
    ["cannot tell", undefined, { kind: "uncertain", isRepeated: true }, 1, ["failed"]],
  ])("is looked up by its Message-ID after a crash: the mailer %s", async (...row) => {
    const [, proof, ends, emails, audited] = row;
    const { clock, mailer, call } = setUp({ script: () => neverSettles });
    const { worker } = setUp({ mailer, clock });
    void call("k");
    await expect.poll(() => mailer.received.length).toBe(1);
    const messageId = mailer.received[0]?.messageId ?? "";
    if (proof !== undefined) mailer.proofs.set(messageId, proof);
    mailer.script = () => accepted;
    clock.forward(seconds(30));
    await worker.tick();
    expect(await call("k")).toEqual({ kind: "under-way" });
    clock.forward(seconds(5));
    await worker.tick();
    expect(await call("k")).toMatchObject(ends);
    expect(await call("k")).toMatchObject({ kind: ends.kind, isRepeated: true });
    expect(mailer.received.map((sent) => sent.messageId)).toEqual(Array(emails).fill(messageId));
    const entries = await readAudit(database);
    expect(entries.map(({ actor, outcome }) => [actor, outcome])).toEqual(
      audited.map((outcome) => ["grace@example.com", outcome]),
    );
  });

  it("leaves its key free when the mailer throws", async () => {
    const { call } = setUp({ script: () => new TypeError("no such email") });
    await expect(call("k")).rejects.toThrow("no such email");
    expect(await keys()).toEqual([]);
  });

  it("is limited by the shared rate", async () => {
    const { clock, mailer, call } = setUp({ perSecond: 1 });
    expect(await call()).toMatchObject({ kind: "sent" });
    expect(await call()).toMatchObject({ kind: "sent" });
    expect(await call("k")).toMatchObject({ kind: "unavailable", retryAfterSeconds: 2 });
    expect(mailer.received).toHaveLength(2);
    clock.forward(2000);
    expect(await call("k")).toMatchObject({ kind: "sent" });
  });

  it("is limited by the shared rate among calls at once", async () => {
    const { mailer, call } = setUp({ perSecond: 1 });
    await Promise.all(Array.from({ length: 6 }, () => call()));
    expect(mailer.received).toHaveLength(2);
  });

  it("has its key swept after a day, and not before", async () => {
    const { clock, call, sweep } = setUp();
    await call("k");
    clock.forward(hours(24) - 1);
    await sweep();
    expect(await keys()).toEqual(["t:k"]);
    clock.forward(1);
    await sweep();
    expect(await keys()).toEqual([]);
  });
});
