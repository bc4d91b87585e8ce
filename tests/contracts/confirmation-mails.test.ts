import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes, seconds } from "~/lib/durations";
import { TokenBucket } from "~/services/queue/token-bucket";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { dialects } from "../databases";
import { createTestConfirmations, visitor } from "../factories/confirmations";
import { createMortalDatabase } from "../factories/mortal-database";
import { createManualSleep, people, setImmediateTimer, suppress, waitUntil } from "../factories/outreach";
import {
  accepted,
  deferred,
  refused,
  unauthorized,
  neverSettles,
  unknown,
  unreachable,
} from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe.each(dialects)("the mails that ask for a confirmation on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("are tried again after a temporary refusal, on the ladder of outreach and with the same Message-ID (R9)", async () => {
    const { signUp, send, clock, mailer, getRequest } = createTestConfirmations(database, () => deferred);
    await signUp();
    await send();
    await expectTriesAfter([10, 15, 30, 60, 120, 240].map(minutes), { mailer, clock, send });
    expect(await getRequest()).toMatchObject({ state: "failed", attempts: 7, detail: "451 try again later" });
    expect(new Set(mailer.received.map((mail) => mail.messageId)).size).toBe(1);
  });

  it("wait for their next try, whatever else the visitor sends meanwhile", async () => {
    const { signUp, send, clock, mailer } = createTestConfirmations(database, () => deferred);
    await signUp();
    await send();
    clock.forward(minutes(9));
    await signUp("ada@example.com", "Another Name");
    await send();
    expect(mailer.received).toHaveLength(1);
  });

  it("suppress an address that is refused for good, which then gets no more of them (C20)", async () => {
    const { signUp, send, clock, mailer, getRequest, counts } = createTestConfirmations(
      database,
      () => refused,
    );
    await signUp();
    await send();
    expect(await getRequest()).toMatchObject({ state: "failed", attempts: 1 });
    expect(await database.read.selectFrom("suppressions").selectAll().execute()).toMatchObject([
      { email_key: "ada@example.com", reason: "refused", delivery_id: null },
    ]);
    clock.forward(hours(1));
    await signUp();
    await send();
    expect(mailer.received).toHaveLength(1);
    expect(await getRequest()).toMatchObject({ state: "skipped", detail: "suppressed" });
    expect(await counts()).toEqual({ unconfirmed: 1 });
  });

  it("do not lift a refusal, also when the address had unsubscribed before", async () => {
    const { signUp, send, mailer, confirmations, link } = createTestConfirmations(database);
    await suppress(database, "ada@example.com", "unsubscribed");
    await suppress(database, "grace@example.com", "unsubscribed");
    mailer.script = ({ to }) => (to.address === "grace@example.com" ? refused : accepted);
    await signUp("ada@example.com");
    await signUp("grace@example.com");
    await send();
    for (const mail of mailer.received) await confirmations.confirm(link(mail), visitor);
    expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    expect(await isSuppressed(database, "grace@example.com")).toBe(true);
  });

  it("are given up when their link would work no more, and go again when somebody asks", async () => {
    const { signUp, send, clock, mailer, getRequest } = createTestConfirmations(database, () => unreachable);
    await signUp();
    await send();
    clock.forward(hours(48) - 1);
    await send();
    expect(mailer.received).toHaveLength(2);
    clock.forward(minutes(10));
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(await getRequest()).toMatchObject({ state: "skipped", detail: "expired" });
    mailer.script = () => accepted;
    await signUp();
    await send();
    expect(await getRequest()).toMatchObject({ state: "sent" });
  });

  it.each([
    ["cannot be reached", unreachable],
    ["does not accept our login", unauthorized],
  ])("wait while the mail server %s, longer each time, and lose no try (R8)", async (_, trouble) => {
    const { signUp, send, clock, mailer, getRequest, logged } = createTestConfirmations(
      database,
      () => trouble,
    );
    await signUp();
    await send();
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

  it("of which one cannot be made do not hold up the others (R28)", async () => {
    const { signUp, worker, mailer } = createTestConfirmations(database);
    await signUp("poison@example.com");
    await signUp("ada@example.com");
    const mails = worker({
      confirmUrl: ({ id }) => (id === firstId ? "javascript:" : `https://example.com/${id}`),
    });
    const { id: firstId } = await database.read
      .selectFrom("confirmations")
      .select("id")
      .where("email_key", "=", "poison@example.com")
      .executeTakeFirstOrThrow();
    await mails.tick();
    expect(mailer.recipients).toEqual(["ada@example.com"]);
  });

  it("that were in flight at a crash go again at once with the same Message-ID, and only those", async () => {
    const { signUp, worker, send, mailer, getRequest, confirmations, link } =
      createTestConfirmations(database);
    mailer.script = () => neverSettles;
    const { victim, kill } = createMortalDatabase(database);
    await signUp();
    const crashing = worker({ database: victim, setTimer: setImmediateTimer }).tick();
    await waitUntil(() => mailer.received.length === 1);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    mailer.script = () => accepted;
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(new Set(mailer.received.map((mail) => mail.messageId)).size).toBe(1);
    expect(await getRequest()).toMatchObject({ state: "sent", attempts: 2, lease_owner: "" });
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(await confirmations.confirm(link(), visitor)).toBe("open");
  });

  it("claimed but not begun at a crash are not lost", async () => {
    const { signUp, worker, send, mailer } = createTestConfirmations(database);
    await signUp();
    // Looking for orphans is the first write, the claim the second.
    const { victim } = createMortalDatabase(database, { atWrite: 2, moment: "after" });
    await expect(worker({ database: victim }).tick()).rejects.toThrow("killed");
    expect(mailer.received).toEqual([]);
    await send();
    expect(mailer.recipients).toEqual(["ada@example.com"]);
  });

  it("count as sent after a crash when the mailer can prove it", async () => {
    const { signUp, worker, send, mailer, getRequest } = createTestConfirmations(
      database,
      () => neverSettles,
    );
    const { victim, kill } = createMortalDatabase(database);
    await signUp();
    const crashing = worker({ database: victim, setTimer: setImmediateTimer }).tick();
    await waitUntil(() => mailer.received.length === 1);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    mailer.proofs.set(mailer.received[0]!.messageId, true);
    await send();
    expect(mailer.received).toHaveLength(1);
    expect(await getRequest()).toMatchObject({ state: "sent" });
  });

  it("that may have arrived are not sent again by themselves: the visitor can ask again after an hour (R32)", async () => {
    const { signUp, send, clock, mailer, getRequest } = createTestConfirmations(database, () => unknown);
    await signUp();
    await send();
    expect(await getRequest()).toMatchObject({ state: "uncertain", attempts: 1, detail: unknown.detail });
    mailer.script = () => accepted;
    clock.forward(hours(1) - 1);
    await signUp();
    await send();
    expect(mailer.received).toHaveLength(1);
    clock.forward(1);
    await signUp();
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(await getRequest()).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("go again once after a crash, and after the next one no more by themselves (R32)", async () => {
    const { signUp, worker, send, mailer, getRequest, clock } = createTestConfirmations(
      database,
      () => neverSettles,
    );
    await signUp();
    for (let crash = 1; crash <= 2; crash += 1) {
      const { victim, kill } = createMortalDatabase(database);
      const crashing = worker({ database: victim, setTimer: setImmediateTimer }).tick();
      await waitUntil(() => mailer.received.length === crash);
      kill();
      await expect(crashing).rejects.toThrow("killed");
    }
    mailer.script = () => accepted;
    await send();
    expect(mailer.received).toHaveLength(2);
    expect(await getRequest()).toMatchObject({ state: "uncertain", attempts: 2 });
    clock.forward(hours(1));
    await signUp();
    expect(await getRequest()).toMatchObject({ state: "pending", resent_after_crash: 0 });
  });

  it("that wait for the mail server's answer hold up no other (R32)", async () => {
    const { signUp, worker, mailer } = createTestConfirmations(database);
    let answer: (outcome: typeof accepted) => void = () => undefined;
    const slow = new Promise<typeof accepted>((resolve) => (answer = resolve));
    mailer.script = ({ to }) => (to.address === "ada@example.com" ? slow : accepted);
    const mails = worker({ setTimer: setImmediateTimer });
    mails.start();
    await signUp("ada@example.com");
    await waitUntil(() => mailer.received.length === 1);
    await signUp("grace@example.com");
    await waitUntil(() => mailer.received.length === 2);
    answer(accepted);
    await mails.stop();
    expect(mailer.recipients).toEqual(["ada@example.com", "grace@example.com"]);
  });

  it("of another instance are left alone until its lease ran out, and then taken over (R22)", async () => {
    const { signUp, worker, clock, mailer } = createTestConfirmations(database);
    mailer.script = () => neverSettles;
    const { victim, kill } = createMortalDatabase(database);
    await signUp();
    const crashing = worker({ database: victim, instance: "two", setTimer: setImmediateTimer }).tick();
    await waitUntil(() => mailer.received.length === 1);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    mailer.script = () => accepted;
    const survivor = worker({ instance: "one" });
    clock.forward(seconds(30));
    await survivor.tick();
    expect(mailer.received).toHaveLength(1);
    clock.forward(seconds(5));
    await survivor.tick();
    expect(mailer.received).toHaveLength(2);
  });

  it("keep their lease for the ten minutes the mail server may take (R22, R32)", async () => {
    const { signUp, worker, clock, mailer, getRequest } = createTestConfirmations(database);
    let answer: (outcome: typeof accepted) => void = () => undefined;
    mailer.script = () => new Promise((resolve) => (answer = resolve));
    await signUp();
    const alarms = createManualSleep();
    const sending = worker({ instance: "two", setTimer: alarms.setTimer });
    sending.start();
    await waitUntil(() => mailer.received.length === 1);
    const survivor = worker({ instance: "one" });
    for (let passed = 0; passed < minutes(10); passed += seconds(10)) {
      clock.forward(seconds(10));
      await alarms.fire();
      await waitUntil(async () => (await getRequest()).lease_until === clock() + seconds(30));
      await survivor.tick();
    }
    answer(accepted);
    await sending.stop();
    expect(mailer.received).toHaveLength(1);
    expect(await getRequest()).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("go out once each when two instances send them (R22)", async () => {
    const { signUp, worker, mailer } = createTestConfirmations(database);
    const addresses = people(60);
    for (const address of addresses) await signUp(address);
    await Promise.all([worker({ instance: "one" }).tick(), worker({ instance: "two" }).tick()]);
    expect(mailer.recipients.toSorted()).toEqual(addresses.toSorted());
  });

  it("share the rate with the other mails of this instance", async () => {
    const { signUp, worker, clock, mailer } = createTestConfirmations(database);
    const rate = new TokenBucket(1, clock());
    const mails = worker({ rate });
    for (const address of people(3)) await signUp(address);
    rate.consume(1);
    await mails.tick();
    expect(mailer.received).toHaveLength(0);
    clock.forward(seconds(1));
    await mails.tick();
    expect(mailer.received).toHaveLength(1);
    expect(rate.available(clock())).toBe(0);
  });

  it("lose no ending while the database is away after they went out", async () => {
    const { signUp, worker, mailer, getRequest } = createTestConfirmations(database);
    await signUp();
    let away = false;
    mailer.script = () => {
      away = true;
      return accepted;
    };
    const flaky: Database = {
      ...database,
      write: async (work) => {
        if (away) throw new Error("the database is away");
        return database.write(work);
      },
    };
    const mails = worker({ database: flaky });
    await expect(mails.tick()).rejects.toThrow("away");
    away = false;
    await mails.tick();
    expect(mailer.received).toHaveLength(1);
    expect(await getRequest()).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("go at once when the worker is woken, and what is under way ends before it stops", async () => {
    const { signUp, worker, mailer, getRequest } = createTestConfirmations(database);
    const mails = worker({ setTimer: () => () => undefined });
    mails.start();
    await signUp();
    mails.wake();
    await waitUntil(() => mailer.received.length === 1);
    await mails.stop();
    expect(await getRequest()).toMatchObject({ state: "sent" });
    await signUp("grace@example.com");
    mails.wake();
    await mails.stop();
    expect(mailer.received).toHaveLength(1);
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
