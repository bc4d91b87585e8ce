import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import type { MailOutcome } from "~/services/mail/mailer";
import { createTestMail } from "~/services/outreach/sample-email.server";
import { operator, createTestOutreach } from "../factories/outreach";
import { createManualTimers } from "../factories/time";
import type { Script } from "../fakes/scripted-mailer";
import { accepted, refused, unknown } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

const mail = {
  address: "ada@example.com",
  title: "Hello",
  message: "Hello",
  audience: "early-access" as const,
};

describe("a test email", () => {
  let database: Database;
  useDatabase("sqlite", (opened) => (database = opened));

  function setUp(script: Script) {
    const { clock, mailer, allowance } = createTestOutreach(database, script);
    const { setTimer, forward } = createManualTimers();
    const send = createTestMail({
      database,
      mailer,
      clock,
      newId,
      allowance,
      setTimer,
      mailDomain: "example.com",
      deadUnsubscribeUrl: "https://example.com/unsubscribe/preview",
      sender: { name: "Frontdesk", address: "hello@example.com" },
      compose: ({ recipient, sender, messageId, title, message }) => ({
        messageId,
        from: sender,
        to: recipient,
        subject: title,
        text: message,
        html: "",
        headers: {},
      }),
    });
    return { mailer, forward, send: () => send(mail, operator) };
  }
  const audited = () => database.read.selectFrom("audit").select(["action", "outcome"]).execute();

  it.each([
    [accepted, { ok: true }],
    [refused, { ok: false, error: "not-sent", reason: refused.detail }],
    [unknown, { ok: false, error: "uncertain" }],
  ])("is sent once, and its operator told how that ended: %j (R32)", async (outcome, told) => {
    const { mailer, send } = setUp(() => outcome);
    expect(await send()).toEqual(told);
    expect(mailer.received).toHaveLength(1);
  });

  it("keeps nobody waiting for more than 30 s, and is written down when it has ended (R32)", async () => {
    let answer: (outcome: MailOutcome) => void = () => undefined;
    const { mailer, forward, send } = setUp(() => new Promise((resolve) => (answer = resolve)));
    const sending = send();
    await expect.poll(() => mailer.received.length).toBe(1);
    forward(seconds(30));
    expect(await sending).toEqual({ ok: false, error: "uncertain" });
    expect(await audited()).toEqual([]);
    answer(accepted);
    await expect.poll(audited).toEqual([{ action: "send-test-mail", outcome: "ok" }]);
    expect(mailer.received).toHaveLength(1);
  });
});
