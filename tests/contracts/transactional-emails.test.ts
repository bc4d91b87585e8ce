import { describe, expect, it } from "vitest";
import { z } from "zod";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import type { SkipReason } from "~/services/mail/delivery/delivery-result";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import type { TransactionalSending } from "~/services/mail/transactional/transactional-jobs.server";
import { createEmail } from "../factories/email";
import { createMortalDatabase } from "../factories/mortal-database";
import { setImmediateTimer, suppress } from "../factories/outreach";
import { createTestClock } from "../factories/time";
import { createTestEmails, listEmails } from "../factories/transactional-emails";
import {
  accepted,
  deferred,
  neverSettles,
  refused,
  ScriptedMailer,
  unreachable,
} from "../fakes/scripted-mailer";
import type { Script } from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

const data = z.object({ key: z.string().optional() });
type Data = z.infer<typeof data>;

const address = "ada@example.com";

describeOnDatabases("transactional emails on %s", ({ database }) => {
  function setUp(script?: Script) {
    const clock = createTestClock();
    const mailer = new ScriptedMailer(script);
    const allowance = new DailyAllowance(100);
    const skips = new Map<string, SkipReason>();
    /** What the next emails throw when they are composed. */
    const failures: Error[] = [];
    const ended: string[] = [];
    const recordEnd: EmailKind<Data>["recordEnd"] = async (_trx, { data: { key = "" } }, { state }) => {
      ended.push(`${key} ${state}`);
    };
    /** Sent by the worker. */
    const queued: EmailKind<Data> = {
      name: "confirmation",
      plural: "confirmation emails",
      allowanceClass: "always",
      data,
      getKey: ({ key }) => key,
      retentionMs: days(30),
      ignores: ["unsubscribed"],
      queued: {
        listSkipped: async (_trx, emails) =>
          new Map(
            emails.flatMap(({ id, data: { key = "" } }) => {
              const reason = skips.get(key);
              return reason ? [[id, reason] as const] : [];
            }),
          ),
        compose: async (email) => {
          const failure = failures.shift();
          if (failure) throw failure;
          return createEmail({ messageId: email.message_id, to: { name: "", address: email.address } });
        },
      },
      recordEnd,
    };
    /** Sent at once only. */
    const immediate: EmailKind<Data> = {
      name: "api",
      plural: "emails of the API",
      allowanceClass: "always",
      data,
      getKey: ({ key }) => key,
      retentionMs: hours(24),
      recordEnd,
    };
    const kinds = [queued, immediate];
    const create = (differing: Partial<TransactionalSending> = {}) =>
      createTestEmails(database, clock, { mailer, allowance, kinds, ...differing });
    const emails = create();

    const add = (key?: string, to = address) =>
      database.write((trx) => emails.add(trx, queued, { address: to, data: { key } }));
    const sendBy =
      (by: typeof emails) =>
      (key?: string, to = address) =>
        by.send(
          immediate,
          { address: to, data: { key } },
          {
            compose: (messageId) => createEmail({ messageId, to: { name: "", address: to } }),
          },
        );
    const states = async () =>
      (await listEmails(database)).map(({ state, detail }) =>
        state === "skipped" ? `skipped ${detail}` : state,
      );
    const countUsed = async () => (await allowance.getToday(database.read, clock()))?.used;

    /** Dies with the email of `work` in flight; the mailer accepts all later ones. */
    async function crash(work: (dying: typeof emails) => Promise<unknown>): Promise<void> {
      const before = mailer.received.length;
      mailer.script = () => neverSettles;
      const { victim, kill } = createMortalDatabase(database);
      void work(create({ database: victim, setTimer: setImmediateTimer })).catch(() => undefined);
      await yieldUntil(() => mailer.received.length > before);
      kill();
      mailer.script = () => accepted;
    }

    return {
      clock,
      mailer,
      emails,
      skips,
      failures,
      ended,
      add,
      send: sendBy(emails),
      sendBy,
      states,
      countUsed,
      crash,
    };
  }

  it("that cannot be composed fail, or wait where the database was away", async () => {
    const { clock, mailer, emails, failures, add, states, countUsed } = setUp();
    await add("a");
    failures.push(new Error("a field is missing"));
    await emails.worker.tick();
    expect(await states()).toEqual(["failed"]);
    await add("b");
    failures.push(Object.assign(new Error("too many clients"), { code: "53300" }));
    await emails.worker.tick();
    expect(await states()).toEqual(["failed", "retrying"]);
    // No server saw it.
    expect(await countUsed()).toBe(1);
    clock.forward(minutes(10));
    await emails.worker.tick();
    expect(await states()).toEqual(["failed", "sent"]);
    expect(mailer.received).toHaveLength(1);
  });

  describe("of one key", () => {
    it("are one email", async () => {
      const { mailer, emails, add, send, states } = setUp();
      expect([await add("a"), await add("a"), await add("b"), await add(), await add()]).toEqual([
        true,
        false,
        true,
        true,
        true,
      ]);
      await emails.worker.tick();
      expect(mailer.received).toHaveLength(4);
      expect(await add("a")).toBe(false);
      // The same key of another kind is another email.
      expect(await send("a")).toMatchObject({ kind: "attempted", outcome: accepted });
      expect(await send("a")).toMatchObject({ kind: "known", email: { state: "sent" } });
      expect(await states()).toEqual(Array(5).fill("sent"));
    });

    it("are one email when they are asked for at the same moment", async () => {
      const { mailer, add, send } = setUp();
      const added = await Promise.all(Array.from({ length: 10 }, () => add("a")));
      expect(added.filter(Boolean)).toHaveLength(1);
      const sent = await Promise.all(Array.from({ length: 10 }, () => send("b")));
      expect(sent.filter(({ kind }) => kind === "attempted")).toHaveLength(1);
      expect(mailer.received).toHaveLength(1);
    });

    it("may follow one that was certainly not sent, with its Message-ID", async () => {
      const { mailer, send, states } = setUp((_, time) => (time === 1 ? deferred : accepted));
      expect(await send("a")).toMatchObject({ outcome: deferred });
      expect(await states()).toEqual([`skipped ${deferred.detail}`]);
      expect(await send("a")).toMatchObject({ outcome: accepted });
      expect(await states()).toEqual(["sent"]);
      expect(new Set(mailer.received.map(({ messageId }) => messageId)).size).toBe(1);
    });

    it("may follow one whose retention is over, with another Message-ID", async () => {
      const { clock, mailer, send, states } = setUp();
      await send("a");
      clock.forward(hours(24) - 1);
      expect(await send("a")).toMatchObject({ kind: "known" });
      clock.forward(1);
      expect(await send("a")).toMatchObject({ kind: "attempted" });
      expect(await states()).toEqual(["sent"]);
      expect(new Set(mailer.received.map(({ messageId }) => messageId)).size).toBe(2);
    });
  });

  describe("are skipped", () => {
    it("for the reason that their kind gives, which attempts nothing and counts nothing", async () => {
      const { mailer, emails, skips, ended, add, states, countUsed } = setUp();
      await add("gone");
      await add("here");
      skips.set("gone", "confirmed");
      await emails.worker.tick();
      expect(await states()).toEqual(["skipped confirmed", "sent"]);
      expect([mailer.received.length, await countUsed()]).toEqual([1, 1]);
      expect(ended.toSorted()).toEqual(["gone skipped", "here sent"]);
    });

    it("for a suppressed address, but for the reasons that their kind ignores", async () => {
      const { emails, add, send, states } = setUp();
      await suppress(database, address, "unsubscribed");
      await add("queued");
      await emails.worker.tick();
      expect(await send("now")).toEqual({ kind: "suppressed", reason: "unsubscribed" });
      await suppress(database, address, "refused");
      await add("later");
      await emails.worker.tick();
      expect(await states()).toEqual(["sent", "skipped suppressed", "skipped suppressed"]);
    });
  });

  describe("after a crash", () => {
    it.each([
      ["is sent again with its Message-ID when nobody can tell", undefined, 2, "sent"],
      ["is sent again when the mailer has not got it", false, 2, "sent"],
      ["is not sent again when the mailer has it", true, 1, "sent"],
    ])("a queued one %s", async (_, proof, times, state) => {
      const { clock, mailer, emails, add, states, crash } = setUp();
      await add("a");
      await crash((dying) => dying.worker.tick());
      const { messageId } = mailer.received[0]!;
      if (proof !== undefined) mailer.proofs.set(messageId, proof);
      clock.forward(seconds(4) + 1);
      await emails.worker.tick();
      expect(mailer.received.map((email) => email.messageId)).toEqual(Array(times).fill(messageId));
      expect(await states()).toEqual([state]);
    });

    it.each([
      ["may be asked for again when the mailer has not got it", false, "skipped interrupted", "attempted"],
      ["stays uncertain when nobody can tell", undefined, "uncertain", "known"],
      ["is sent when the mailer has it", true, "sent", "known"],
    ])("one that was sent at once %s", async (_, proof, state, again) => {
      const { clock, mailer, emails, ended, send, sendBy, states, crash } = setUp();
      await crash((dying) => sendBy(dying)("a"));
      expect(await send("a")).toMatchObject({ kind: "known", email: { state: "claimed" } });
      if (proof !== undefined) mailer.proofs.set(mailer.received[0]!.messageId, proof);
      clock.forward(seconds(4) + 1);
      await emails.worker.tick();
      expect(mailer.received).toHaveLength(1);
      expect(await states()).toEqual([state]);
      expect(ended).toEqual([`a ${state.split(" ")[0]}`]);
      expect(await send("a")).toMatchObject({ kind: again });
    });
  });

  it("that are sent at once have one attempt, and a refused one suppresses its address", async () => {
    const { mailer, emails, send, states, countUsed } = setUp();
    mailer.script = () => unreachable;
    await send("a");
    mailer.script = () => refused;
    await send("b");
    await emails.worker.tick();
    expect(await states()).toEqual([`skipped ${unreachable.detail}`, "failed"]);
    expect([mailer.received.length, await countUsed()]).toEqual([2, 1]);
    expect(await send("c")).toEqual({ kind: "suppressed", reason: "refused" });
  });

  // R28
  it("fail alone when their data cannot be read", async () => {
    const { emails, add, states } = setUp();
    await add("a");
    await add("b");
    const [first] = await listEmails(database);
    await database.write((trx) =>
      trx.updateTable("transactional_emails").set({ data: "{" }).where("id", "=", first!.id).execute(),
    );
    await emails.worker.tick();
    expect(await states()).toEqual(["failed", "sent"]);
  });

  it("are swept once their kind's retention is over, and never before they ended", async () => {
    const { clock, emails, add, send } = setUp();
    await add("queued");
    await send("now");
    const listKinds = async () => {
      await emails.sweep();
      return (await listEmails(database)).map(({ kind }) => kind);
    };
    clock.forward(hours(24) - 1);
    expect(await listKinds()).toEqual(["confirmation", "api"]);
    clock.forward(1);
    expect(await listKinds()).toEqual(["confirmation"]);
    clock.forward(days(30));
    expect(await listKinds()).toEqual(["confirmation"]);
    await emails.worker.tick();
    expect(await listKinds()).toEqual([]);
  });
});
