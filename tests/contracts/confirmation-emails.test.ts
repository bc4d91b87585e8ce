import { expect, it } from "vitest";
import { hours, minutes, seconds } from "~/lib/durations";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { createTestConfirmations, visitor } from "../factories/confirmations";
import { suppress } from "../factories/outreach";
import { accepted, deferred, refused, unauthorized, unknown, unreachable } from "../fakes/scripted-mailer";
import type { Script } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("confirmation emails on %s", ({ database }) => {
  const setUp = (script?: Script) => createTestConfirmations(database, script);

  // R9
  it("are retried after a temporary refusal like outreach", async () => {
    const { signUpAndSend, send, clock, mailer, getRequest } = setUp(() => deferred);
    await signUpAndSend();
    await expectTriesAfter([10, 15, 30, 60, 120, 240].map(minutes), { mailer, clock, send });
    expect(await getRequest()).toMatchObject({ state: "failed", attempts: 7, detail: "451 try again later" });
    expect(new Set(mailer.received.map((email) => email.messageId)).size).toBe(1);
  });

  it("wait for their retry when the visitor signs up again", async () => {
    const { signUpAndSend, clock, mailer } = setUp(() => deferred);
    await signUpAndSend();
    clock.forward(minutes(9));
    await signUpAndSend("ada@example.com", "Another Name");
    expect(mailer.received).toHaveLength(1);
  });

  // C20
  it("suppress an address that is permanently refused", async () => {
    const { signUpAndSend, clock, mailer, getRequest, counts } = setUp(() => refused);
    await signUpAndSend();
    expect(await getRequest()).toMatchObject({ state: "failed", attempts: 1 });
    expect(await database.read.selectFrom("suppressions").selectAll().execute()).toMatchObject([
      { email_key: "ada@example.com", reason: "refused", delivery_id: null },
    ]);
    clock.forward(hours(1));
    await signUpAndSend();
    expect(mailer.received).toHaveLength(1);
    expect(await getRequest()).toMatchObject({ state: "skipped", detail: "suppressed" });
    expect(await counts()).toEqual({ unconfirmed: 1 });
  });

  it("do not lift the suppression of a refused address that unsubscribed before", async () => {
    const { signUp, signUpAndSend, mailer, confirmations, link } = setUp();
    await suppress(database, "ada@example.com", "unsubscribed");
    await suppress(database, "grace@example.com", "unsubscribed");
    mailer.script = ({ to }) => (to.address === "grace@example.com" ? refused : accepted);
    await signUp("ada@example.com");
    await signUpAndSend("grace@example.com");
    for (const email of mailer.received) await confirmations.confirm(link(email), visitor);
    expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    expect(await isSuppressed(database, "grace@example.com")).toBe(true);
  });

  it("are skipped when their link expired, and sent again after another signup", async () => {
    const { signUpAndSend, send, clock, mailer, getRequest } = setUp(() => unreachable);
    await signUpAndSend();
    clock.forward(hours(48) - 1);
    await send();
    expect(mailer.received).toHaveLength(2);
    clock.forward(minutes(10));
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(await getRequest()).toMatchObject({ state: "skipped", detail: "expired" });
    mailer.script = () => accepted;
    await signUpAndSend();
    expect(await getRequest()).toMatchObject({ state: "sent" });
  });

  // R8
  it.each([
    ["cannot be reached", unreachable],
    ["does not accept our login", unauthorized],
  ])("back off while the mail server %s, without counting an attempt", async (_, serverResponse) => {
    const { signUpAndSend, send, clock, mailer, getRequest, logged } = setUp(() => serverResponse);
    await signUpAndSend();
    await expectTriesAfter([5, 10, 20].map(seconds), { mailer, clock, send });
    expect(await getRequest()).toMatchObject({ state: "pending", attempts: 0 });
    mailer.script = () => accepted;
    clock.forward(seconds(40));
    await send();
    expect(await getRequest()).toMatchObject({ state: "sent", attempts: 1 });
    expect(logged).toEqual([
      "error: confirmation emails wait for the mail server",
      "info: confirmation emails are sent again",
    ]);
  });

  // R32
  it("that may have arrived are not resent", async () => {
    const { signUpAndSend, clock, mailer, getRequest } = setUp(() => unknown);
    await signUpAndSend();
    expect(await getRequest()).toMatchObject({ state: "uncertain", attempts: 1, detail: unknown.detail });
    mailer.script = () => accepted;
    clock.forward(hours(1) - 1);
    await signUpAndSend();
    expect(mailer.received).toHaveLength(1);
    clock.forward(1);
    await signUpAndSend();
    expect(mailer.received).toHaveLength(2);
    expect(await getRequest()).toMatchObject({ state: "sent", attempts: 1 });
  });

  // R32
  it("are resent with the same Message-ID after a first crash but not after a second", async () => {
    const { signUp, send, mailer, getRequest, clock, crashInFlight } = setUp();
    await signUp();
    for (let crash = 1; crash <= 2; crash += 1) {
      await crashInFlight();
      clock.forward(seconds(4) + 1);
    }
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(new Set(mailer.received.map((email) => email.messageId)).size).toBe(1);
    expect(await getRequest()).toMatchObject({ state: "uncertain", attempts: 2 });
    clock.forward(hours(1));
    await signUp();
    expect(await getRequest()).toMatchObject({ state: "pending", resent_after_crash: 0 });
  });
});

/** Each try comes when its wait is over, and not a millisecond earlier. */
async function expectTriesAfter(
  waits: readonly number[],
  { mailer, clock, send }: Pick<ReturnType<typeof createTestConfirmations>, "mailer" | "clock" | "send">,
): Promise<void> {
  for (const wait of waits) {
    const tries = mailer.received.length;
    clock.forward(wait - 1);
    await send();
    expect(mailer.received).toHaveLength(tries);
    clock.forward(1);
    await send();
    expect(mailer.received).toHaveLength(tries + 1);
  }
}
