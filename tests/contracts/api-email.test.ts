import { expect, it } from "vitest";
import { hours, minutes, seconds } from "~/lib/durations";
import { createSendApiEmail, type ApiMessage } from "~/services/api-email/send-api-email.server";
import { createIdempotency, sweepIdempotencyKeys } from "~/services/idempotency/idempotency.server";
import { DailyAllowance } from "~/services/outreach/daily-allowance.server";
import { TokenBucket } from "~/services/queue/token-bucket";
import { newId } from "~/services/service-deps";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createLateOutcome, suppress } from "../factories/outreach";
import { caller, toApiToken } from "../factories/tokens";
import { createManualTimers, createTestClock } from "../factories/time";
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
} as const satisfies ApiMessage;
describeOnDatabases("an email of the API on %s", ({ database }) => {
  function setUp({ perSecond = 0, script }: { perSecond?: number; script?: Script } = {}) {
    const clock = createTestClock();
    const mailer = new ScriptedMailer(script);
    const { setTimer, forward } = createManualTimers();
    const allowance = new DailyAllowance(10);
    const send = createSendApiEmail({
      setTimer,
      database,
      mailer,
      clock,
      newId,
      idempotency: createIdempotency({ database, clock }),
      sender: { name: "The team", address: "team@example.com" },
      mailDomain: "example.com",
      rate: new TokenBucket(perSecond, clock()),
      allowance,
    });
    const by =
      (token: string) =>
      (idempotencyKey?: string, message: Partial<ApiMessage> = {}) =>
        send({ ...email, ...message }, { token: toApiToken(token), idempotencyKey, from: caller });
    return { clock, mailer, allowance, by, call: by("t"), waitFor: forward };
  }
  const keys = () => database.read.selectFrom("idempotency_keys").selectAll().execute();

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
      headers: {
        "Auto-Submitted": "auto-generated",
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

  it("is sent once for the same key and content, with the same result (C26)", async () => {
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

  it("is refused for the same key with other content (C26)", async () => {
    const { mailer, call } = setUp();
    await call("k");
    for (const other of [{ to: "eve@example.com" }, { subject: "Bye" }, { html: "<p>Bye</p>" }]) {
      expect(await call("k", other)).toEqual({ kind: "other-request" });
    }
    expect(mailer.recipients).toEqual(["ada@example.com"]);
  });

  it("is sent once for twenty simultaneous calls with one key (C26)", async () => {
    const { mailer, call } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => call("k")));
    expect(mailer.received).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "sent").length).toBeGreaterThan(0);
    expect(outcomes.every(({ kind }) => kind === "sent" || kind === "under-way")).toBe(true);
  });

  it("stays refused under its key after a permanent refusal, which suppresses its address", async () => {
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

  it("is answered within 30 s, and its key returns the result later (R32)", async () => {
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

  it("is uncertain when it may have arrived, and never sent again under its key (R32)", async () => {
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

  it.each([
    ["has it", true, { kind: "sent", isRepeated: false }, 1],
    ["does not have it", false, { kind: "sent", isRepeated: false }, 2],
    ["cannot tell", undefined, { kind: "uncertain", isRepeated: false }, 1],
  ])("is looked up by its Message-ID after a crash: the mailer %s (R35)", async (_, proof, ends, emails) => {
    const { clock, mailer, call } = setUp({ script: () => neverSettles });
    void call("k");
    await expect.poll(() => mailer.received.length).toBe(1);
    const messageId = mailer.received[0]?.messageId ?? "";
    if (proof !== undefined) mailer.proofs.set(messageId, proof);
    mailer.script = () => accepted;
    // Longer than the clocks of two instances may differ.
    clock.forward(minutes(20) - 1);
    expect(await call("k")).toEqual({ kind: "under-way" });
    clock.forward(1);
    expect(await call("k")).toMatchObject(ends);
    expect(await call("k")).toMatchObject({ kind: ends.kind, isRepeated: true });
    expect(mailer.received.map((sent) => sent.messageId)).toEqual(Array(emails).fill(messageId));
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

  it("has its key swept after a day, and not before", async () => {
    const { clock, call } = setUp();
    await call("k");
    clock.forward(hours(24) - 1);
    await sweepIdempotencyKeys(database, clock);
    expect(await keys()).toMatchObject([{ id: "t:k" }]);
    clock.forward(1);
    await sweepIdempotencyKeys(database, clock);
    expect(await keys()).toEqual([]);
  });
});
