import { describe, expect, it } from "vitest";
import { seconds } from "~/lib/durations";
import { readAudit } from "../factories/accounts";
import { createLateOutcome, createSendTest, createTestOutreach } from "../factories/outreach";
import { createManualTimers } from "../factories/time";
import { accepted, refused, unknown, type Script } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe("a test email", () => {
  const { database } = useDatabase("sqlite");

  function setUp(script: Script) {
    const { clock, mailer, allowance } = createTestOutreach(database, script);
    const { setTimer, forward } = createManualTimers();
    return { mailer, forward, send: createSendTest({ database, mailer, clock, allowance, setTimer }) };
  }
  const listAudit = () => readAudit(database);

  // R32
  it.each([
    [accepted, { ok: true }],
    [refused, { ok: false, error: "not-sent", reason: refused.detail }],
    [unknown, { ok: false, error: "uncertain" }],
  ])("is sent once, and its operator gets the result: %j", async (outcome, result) => {
    const { mailer, send } = setUp(() => outcome);
    expect(await send()).toEqual(result);
    expect(mailer.received).toHaveLength(1);
  });

  // R51
  it("suppresses automatic replies, and has no list headers", async () => {
    const { mailer, send } = setUp(() => accepted);
    await send();
    expect(mailer.received.map(({ autoSubmitted }) => autoSubmitted)).toEqual(["auto-generated"]);
    expect(mailer.received.map(({ headers }) => headers)).toEqual([
      { "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply" },
    ]);
  });

  // R32
  it("delays no response for more than 30 s, and is audited when it has ended", async () => {
    const { outcome, release } = createLateOutcome();
    const { mailer, forward, send } = setUp(() => outcome);
    const sending = send();
    await expect.poll(() => mailer.received.length).toBe(1);
    forward(seconds(30));
    expect(await sending).toEqual({ ok: false, error: "uncertain" });
    expect(await listAudit()).toEqual([]);
    release(accepted);
    await expect.poll(listAudit).toMatchObject([{ action: "send-test-email", outcome: "ok" }]);
    expect(mailer.received).toHaveLength(1);
  });
});
