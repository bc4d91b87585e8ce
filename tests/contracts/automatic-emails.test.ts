import { describe, expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import type { AutomaticKind } from "~/services/automatic/automatic-kinds.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { skipAutomaticEmails } from "~/services/mail/transactional/skip-automatic.server";
import { noMirror } from "~/services/mirrors/mirror-rows.server";
import { createPeople } from "~/services/people/people.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import { newId } from "~/services/service-deps";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createTestAutomatic } from "../factories/automatic";
import { createOvertakenDatabase } from "../factories/blocked-writes";
import { createTestCorrections } from "../factories/corrections";
import { createMortalDatabase } from "../factories/mortal-database";
import { operator, setImmediateTimer, suppress } from "../factories/outreach";
import { visitor } from "../factories/confirmations";
import { createPersonData } from "../factories/people";
import { expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { listEmails } from "../factories/transactional-emails";
import { accepted, deferred, neverSettles, refused, unreachable } from "../fakes/scripted-mailer";
import { yieldUntil } from "../wait-until";
import { describeOnDatabases } from "./use-database";

type TestAutomatic = ReturnType<typeof createTestAutomatic>;

describeOnDatabases("automatic emails on %s", ({ database, dialect }) => {
  const setUp = (options?: Parameters<typeof createTestAutomatic>[1]) =>
    createTestAutomatic(database, options);

  it("are off until somebody turns them on", async () => {
    const { submit, states, wakes, rules } = setUp();
    await submit("early-access");
    await submit("updates-signup");
    await submit("contact-form");
    expect(await states()).toEqual([]);
    expect(wakes()).toBe(0);
    expect((await rules.list()).map(({ rule, isOn }) => [rule, isOn])).toEqual([
      ["thank-you", false],
      ["welcome", false],
      ["receipt", false],
    ]);
  });

  it.each([
    ["early-access", "thank-you", "You are on the list for"],
    ["updates-signup", "welcome", "Welcome to the news from"],
    ["contact-form", "receipt", "We got your message to"],
  ] as const)("answer the form %s by the rule %s", async (form, rule, subject) => {
    const { turnOn, submit, send, states, wakes, mailer } = setUp();
    await turnOn("thank-you", "welcome", "receipt");
    await submit(form);
    expect(wakes()).toBe(1);
    await send();
    expect(await states()).toEqual([`${rule} sent`]);
    expect(mailer.recipients).toEqual(["Ada@Example.com"]);
    expect(mailer.received[0]?.subject).toContain(subject);
    expect(mailer.received[0]?.text).toContain("Hello Ada,");
  });

  describe("go once to a person", () => {
    it("who sends the form again, also days later", async () => {
      const { turnOn, submit, send, clock, mailer } = setUp();
      await turnOn("thank-you");
      for (let time = 0; time < 3; time += 1) {
        await submit("early-access", {
          name: `Ada ${time}`,
          email: time === 1 ? "ADA@example.com" : undefined,
        });
        await send();
        clock.forward(days(20));
      }
      expect(mailer.received).toHaveLength(1);
    });

    it("who sends it many times at the same moment", async () => {
      const { turnOn, submit, send, states, mailer } = setUp();
      await turnOn("thank-you");
      await Promise.all(Array.from({ length: 10 }, (_, n) => submit("early-access", { name: `Ada ${n}` })));
      await send();
      expect(await states()).toEqual(["thank-you sent"]);
      expect(mailer.received).toHaveLength(1);
    });

    it("when two instances send", async () => {
      const { turnOn, submit, send, createEmails, states, mailer } = setUp();
      await turnOn("thank-you", "receipt");
      const people = Array.from({ length: 8 }, (_, n) => `person-${n}@example.com`);
      for (const email of people) {
        await submit("early-access", { email });
        await submit("contact-form", { email });
      }
      const other = createEmails({ instance: "two", concurrency: 3 }).worker;
      for (let pass = 0; pass < 8; pass += 1) await Promise.all([send(), other.tick()]);
      expect(mailer.recipients.toSorted()).toEqual(people);
      const ends = await states();
      expect(ends.filter((end) => end.endsWith("sent"))).toHaveLength(8);
      expect(ends.filter((end) => end.endsWith("skipped: daily-limit"))).toHaveLength(8);
    });

    it("when two instances claim one each at the same moment", async () => {
      const { turnOn, submit, createEmails, kinds, states, mailer } = setUp();
      await turnOn("thank-you", "receipt");
      await submit("early-access");
      await submit("contact-form");
      // Both have claimed before either decides what goes; on SQLite one writes after the other.
      const { promise: haveClaimed, resolve } = Promise.withResolvers<undefined>();
      let waiting = dialect === "sqlite" ? 1 : 0;
      const decideTogether = ({ queued, ...kind }: AutomaticKind): AutomaticKind => ({
        ...kind,
        queued: queued && {
          ...queued,
          async listSkipped(...claimed) {
            waiting += 1;
            if (waiting === 2) resolve(undefined);
            await haveClaimed;
            return queued.listSkipped(...claimed);
          },
        },
      });
      const differing = { concurrency: 1, kinds: Object.values(kinds).map(decideTogether) };
      const instances = ["one", "two"].map((instance) => createEmails({ instance, ...differing }));
      await Promise.all(instances.map(({ worker }) => worker.tick()));
      expect(mailer.received).toHaveLength(1);
      expect((await states()).map((state) => state.replace(/^\S+ /, "")).toSorted()).toEqual([
        "sent",
        "skipped: daily-limit",
      ]);
    });

    it("also where the first one was not sent, which a later form makes up for", async () => {
      const { turnOn, submit, send, states, clock } = setUp();
      await turnOn("thank-you", "receipt");
      await submit("contact-form");
      await send();
      await submit("early-access");
      await send();
      expect(await states()).toEqual(["receipt sent", "thank-you skipped: daily-limit"]);
      clock.forward(days(1));
      await submit("early-access", { name: "Ada Lovelace" });
      await send();
      expect(await states()).toEqual(["receipt sent", "thank-you sent"]);
    });
  });

  describe("are skipped when they are claimed", () => {
    it.each([
      ["unsubscribed", "unsubscribed"],
      ["bounced", "bounced"],
      ["refused", "bounced"],
      ["complained", "suppressed"],
      ["added", "suppressed"],
    ] as const)("for an address that is %s meanwhile", async (reason, shown) => {
      const { turnOn, submit, send, states, mailer } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      await suppress(database, "ada@example.com", reason);
      await send();
      expect(await states()).toEqual([`thank-you skipped: ${shown}`]);
      expect(mailer.received).toEqual([]);
    });

    it("for a rule that is off meanwhile", async () => {
      const { turnOn, rules, submit, send, states } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      await rules.turn("thank-you", false, operator);
      await send();
      expect(await states()).toEqual(["thank-you skipped: rule-off"]);
    });

    it("for a submission that was deleted meanwhile", async () => {
      const { turnOn, submit, send, states, clock } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      const submissions = createSubmissions({ database });
      const deletions = createDeletions({ database, submissions, clock, newId, mirror: noMirror });
      const ids = (await database.read.selectFrom("submissions").select("id").execute()).map(({ id }) => id);
      await deletions.delete({ kind: "early-access", ids }, operator);
      await send();
      expect(await states()).toEqual(["thank-you skipped: gone"]);
    });

    it("for a person who was erased, or whose address was corrected, meanwhile", async () => {
      const { turnOn, submit, send, states, clock, mailer } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      await submit("early-access", { email: "typo@example.com" });
      const ids = await database.read.selectFrom("people").select("id").orderBy("email_key").execute();
      const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
      expect(await people.erase(ids[0]?.id ?? "", operator)).toMatchObject({ ok: true });
      const { correct } = createTestCorrections(database);
      expect(await correct(ids[1]?.id ?? "", { email: "right@example.com" })).toMatchObject({ ok: true });
      await send();
      expect((await states()).toSorted()).toEqual(["thank-you skipped: erased", "thank-you skipped: gone"]);
      expect(mailer.received).toEqual([]);
    });

    it("for a second one to the address on a UTC day", async () => {
      const { turnOn, submit, send, states, clock } = setUp();
      await turnOn("thank-you", "welcome", "receipt");
      await submit("early-access");
      await submit("contact-form");
      await send();
      expect(await states()).toEqual(["thank-you sent", "receipt skipped: daily-limit"]);
      // The clock starts at 08:00.
      clock.forward(hours(16) - 1);
      await submit("updates-signup");
      await send();
      clock.forward(1);
      await submit("contact-form");
      await send();
      expect((await states()).toSorted()).toEqual([
        "receipt sent",
        "thank-you sent",
        "welcome skipped: daily-limit",
      ]);
    });

    it("for a second one while another is handed over past midnight UTC", async () => {
      const { turnOn, submit, send, createEmails, states, clock, mailer } = setUp();
      await turnOn("thank-you", "receipt");
      await submit("early-access");
      const other = createEmails({ instance: "two" }).worker;
      mailer.script = async () => {
        mailer.script = () => accepted;
        clock.forward(1);
        await submit("contact-form");
        await other.tick();
        return accepted;
      };
      // The clock starts at 08:00.
      clock.forward(hours(16) - 1);
      await send();
      expect(await states()).toEqual(["thank-you sent", "receipt skipped: daily-limit"]);
      expect(mailer.received).toHaveLength(1);
    });

    it("for a second one while another, in flight at a crash, may have arrived", async () => {
      const { turnOn, submit, send, createEmails, states, clock, mailer } = setUp();
      await turnOn("thank-you", "receipt");
      await submit("early-access");
      mailer.script = () => neverSettles;
      const { victim, kill } = createMortalDatabase(database);
      const dying = createEmails({ instance: "two", database: victim, setTimer: setImmediateTimer });
      void dying.worker.tick().catch(() => undefined);
      await yieldUntil(() => mailer.received.length > 0);
      kill();
      mailer.script = () => deferred;
      clock.forward(minutes(1));
      await send();
      await submit("contact-form");
      await send();
      expect(await states()).toEqual(["thank-you retrying", "receipt skipped: daily-limit"]);
    });

    it("for one that waited too long, which is not the one of its day", async () => {
      const { turnOn, submit, send, states, clock } = setUp();
      await turnOn("thank-you", "receipt");
      await submit("early-access");
      await database.write((trx) =>
        trx.updateTable("transactional_emails").set({ late_at: clock() }).execute(),
      );
      await submit("contact-form");
      await send();
      expect(await states()).toEqual(["thank-you skipped: too-late", "receipt sent"]);
    });

    it("for a retry on a day on which another one arrived", async () => {
      const { turnOn, submit, send, states, clock, mailer } = setUp({ script: () => deferred });
      await turnOn("thank-you", "receipt");
      await submit("early-access");
      await send();
      mailer.script = () => accepted;
      await submit("contact-form");
      await send();
      clock.forward(hours(1));
      await send();
      expect(await states()).toEqual(["thank-you skipped: daily-limit", "receipt sent"]);
    });
  });

  describe("are skipped when their rule is turned off", () => {
    it("also while the daily allowance is used up, and not sent once it is on again", async () => {
      const { turnOn, rules, submit, createEmails, states, automaticEmails, clock, mailer } = setUp();
      const { worker } = createEmails({ allowance: new DailyAllowance(1) });
      await turnOn("thank-you", "welcome");
      await submit("early-access");
      await worker.tick();
      await submit("early-access", { email: "bo@example.com" });
      await submit("updates-signup", { email: "cy@example.com" });
      await rules.turn("thank-you", false, operator);
      expect(await states()).toEqual(["thank-you sent", "thank-you skipped: rule-off", "welcome pending"]);
      expect(await automaticEmails.countEmails()).toMatchObject({
        "thank-you": { sent: 1, waiting: 0, skipped: 1, skippedByReason: { "rule-off": 1 } },
        welcome: { waiting: 1, skipped: 0 },
      });
      expect(await automaticEmails.listEmails("thank-you", { limit: 1 })).toMatchObject([
        { state: "skipped", detail: "rule-off", updated_at: clock(), hasText: false },
      ]);
      await turnOn("thank-you");
      clock.forward(days(1));
      await worker.tick();
      expect(mailer.recipients).toEqual(["Ada@Example.com", "cy@example.com"]);
    });

    it("also one that was in flight then and came back, once it is on again", async () => {
      const { turnOn, rules, submit, send, states, clock, mailer } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      mailer.script = async () => {
        await rules.turn("thank-you", false, operator);
        return unreachable;
      };
      await send();
      expect(await states()).toEqual(["thank-you pending"]);
      mailer.script = () => accepted;
      await turnOn("thank-you");
      clock.forward(hours(1));
      await send();
      expect(await states()).toEqual(["thank-you skipped: rule-off"]);
    });

    it("however many there are", async () => {
      const { turnOn, rules, createEmails, kinds, automaticEmails } = setUp();
      await turnOn("welcome");
      const emails = createEmails();
      const address = "ada@example.com";
      await database.write(async (trx) => {
        for (let count = 0; count < 1001; count += 1) {
          await emails.add(trx, kinds.welcome, { address, data: { person: newId() } });
        }
      });
      await rules.turn("welcome", false, operator);
      expect(await automaticEmails.countEmails()).toMatchObject({ welcome: { waiting: 0, skipped: 1001 } });
    });
  });

  it("are retried, and wait while the mail server cannot be reached", async () => {
    const { turnOn, submit, send, states, clock, mailer } = setUp({ script: () => unreachable });
    await turnOn("thank-you");
    await submit("early-access");
    await send();
    expect(await states()).toEqual(["thank-you pending"]);
    mailer.script = () => accepted;
    clock.forward(hours(1));
    await send();
    expect(await states()).toEqual(["thank-you sent"]);
    expect(new Set(mailer.received.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it("suppress an address whose mailbox does not exist", async () => {
    const { turnOn, submit, send, states } = setUp({ script: () => refused });
    await turnOn("receipt");
    await submit("contact-form");
    await send();
    expect(await states()).toEqual(["receipt failed"]);
    expect(await isSuppressed(database, "ada@example.com")).toBe(true);
  });

  describe("never answer", () => {
    it("a bot, nor what is released after seven days", async () => {
      const { turnOn, submit, send, states, clock, quarantine } = setUp();
      await turnOn("thank-you");
      await submit("early-access", {}, { honeypot: "https://spam.example" });
      await send();
      expect(await states()).toEqual([]);
      clock.forward(days(7));
      const through = "ffffffff-ffff-7fff-bfff-ffffffffffff";
      expect(await quarantine.release({ through }, operator)).toEqual({ count: 1, unconfirmed: 0 });
      await send();
      expect(await states()).toEqual([]);
    });

    it("a program's signup that does not ask for it", async () => {
      const { turnOn, submitByProgram, send, mailer } = setUp();
      await turnOn("thank-you", "welcome", "receipt");
      await submitByProgram("early-access");
      await submitByProgram("updates-signup", false, { email: "grace@example.com" });
      await submitByProgram("contact-form", true, { email: "asking@example.com" });
      await send();
      expect(mailer.recipients).toEqual(["asking@example.com"]);
    });

    it("imported people, and those whose submission is restored", async () => {
      const { turnOn, submit, send, mailer, clock } = setUp();
      await turnOn("thank-you");
      const [id = ""] = await storeSubmissions(database, [{ email: "imported@example.com" }]);
      const submissions = createSubmissions({ database });
      const deletions = createDeletions({ database, submissions, clock, newId, mirror: noMirror });
      const deletion = await deletions.delete({ kind: "early-access", ids: [id] }, operator);
      await deletions.undo(deletion ?? "", operator);
      await send();
      expect(mailer.received).toEqual([]);
      await submit("early-access", { email: "imported@example.com" });
      await send();
      expect(mailer.recipients).toEqual(["imported@example.com"]);
    });
  });

  it("answer what is released within seven days", async () => {
    const { turnOn, submit, send, states, clock, quarantine } = setUp();
    await turnOn("thank-you");
    await submit("early-access", {}, { honeypot: "https://spam.example" });
    clock.forward(days(7) - 1);
    await quarantine.release({ through: "ffffffff-ffff-7fff-bfff-ffffffffffff" }, operator);
    await send();
    expect(await states()).toEqual(["thank-you sent"]);
  });

  it("welcome whoever has to confirm only after the confirmation", async () => {
    const { turnOn, submit, send, states, mailer, confirmations, getToken } = setUp({
      requiredFor: ["updates-signup"],
    });
    await turnOn("welcome");
    await submit("updates-signup");
    await send();
    expect(await states()).toEqual([]);
    expect(await confirmations.confirm(getToken() ?? "", visitor)).toBe("open");
    await send();
    expect(await states()).toEqual(["welcome sent"]);
    expect(mailer.received.at(-1)?.subject).toContain("Welcome");
  });

  describe("let an address be confirmed", () => {
    const getPeople = () => database.read.selectFrom("people").select("confirmed_at").execute();

    it("by the thank-you alone, once, and change nothing else", async () => {
      const { turnOn, submit, send, clock, getToken, confirmations, mailer } = setUp();
      await turnOn("thank-you", "welcome", "receipt");
      await submit("contact-form", { email: "grace@example.com" });
      await submit("updates-signup", { email: "lena@example.com" });
      await send();
      expect(mailer.received.some(({ text }) => text.includes("/updates/confirm/"))).toBe(false);
      await submit("early-access");
      await send();
      const token = getToken() ?? "";
      expect(mailer.received.at(-1)?.html).toContain("Confirm your address");
      expect(confirmations.getSubject(token)).toBe("address");
      await suppress(database, "ada@example.com");
      clock.forward(hours(48) - 1);
      expect(await confirmations.confirm(token, visitor)).toBe("open");
      expect(await confirmations.confirm(token, visitor)).toBe("confirmed");
      expect((await getPeople()).map((person) => person.confirmed_at)).toContain(clock());
      expect(await isSuppressed(database, "ada@example.com")).toBe(true);
      const audit = await readAudit(database);
      expect(audit.filter(({ action }) => action.startsWith("confirm"))).toMatchObject([
        { action: "confirm-address", subject: "Ada@Example.com" },
      ]);
    });

    it("by a new link, when that of the thank-you has expired", async () => {
      const { turnOn, submit, send, clock, getToken, confirmations, mailer } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      await send();
      const token = getToken() ?? "";
      clock.forward(hours(48));
      expect(await confirmations.confirm(token, visitor)).toBe("expired");
      expect(await confirmations.sendNewLink(token)).toEqual({ ok: true });
      await send();
      expect(mailer.received.at(-1)?.subject).toBe("Please confirm your address for Confer");
      expect(await confirmations.confirm(getToken() ?? "", visitor)).toBe("open");
      expect(await getPeople()).toEqual([{ confirmed_at: clock() }]);
    });

    it("unless it is confirmed", async () => {
      const { turnOn, submit, send, getToken, confirmations } = setUp({ requiredFor: ["updates-signup"] });
      await turnOn("thank-you");
      await submit("updates-signup");
      await send();
      await confirmations.confirm(getToken() ?? "", visitor);
      await submit("early-access");
      await send();
      expect(getToken()).toBeUndefined();
    });

    it("without voiding an email that asks for a confirmation", async () => {
      const { turnOn, submit, send, states, getToken, confirmations, mailer, signups } = setUp({
        requiredFor: ["updates-signup"],
        script: ({ subject }) => (subject.startsWith("Please") ? deferred : accepted),
      });
      await turnOn("thank-you");
      await submit("updates-signup");
      await submit("early-access");
      await send();
      expect(await states()).toEqual(["thank-you sent"]);
      const thanks = mailer.received.find(({ subject }) => !subject.startsWith("Please"));
      const [, token = ""] = /\/updates\/confirm\/(\S+)/.exec(thanks?.text ?? "") ?? [];
      const asking = (await listEmails(database)).filter(({ kind }) => kind === "confirmation");
      expect(asking).toMatchObject([{ state: "retrying" }]);
      expect(await confirmations.confirm(token, visitor)).toBe("open");
      expect(await signups.countUnconfirmed()).toBe(0);
      expect(getToken()).toBeDefined();
    });
  });

  describe("with DOUBLE_OPT_IN=all", () => {
    const requiredFor = ["early-access", "updates-signup"] as const;

    it("early access is unconfirmed until its address is confirmed, and thanked then", async () => {
      const { turnOn, submit, send, states, signups, getToken, confirmations, mailer } = setUp({
        requiredFor,
      });
      await turnOn("thank-you");
      await submit("early-access");
      await send();
      expect(mailer.received.map(({ subject }) => subject)).toEqual([
        "Please confirm that you want early access to Confer",
      ]);
      expect(await signups.listUnconfirmed({ limit: 5 })).toMatchObject([{ kind: "early-access" }]);
      expect((await signups.counts())["early-access"]).toBe(0);
      expect(confirmations.getSubject(getToken() ?? "")).toBe("early-access");
      expect(await confirmations.confirm(getToken() ?? "", visitor)).toBe("open");
      await expectCountsToAgree(database);
      await send();
      expect(await states()).toEqual(["thank-you sent"]);
      expect(getToken()).toBeUndefined();
    });

    it("the email that asks goes out whether automatic emails are on or not", async () => {
      const { submit, send, signups, getToken, confirmations, mailer, clock } = setUp({ requiredFor });
      await submit("early-access");
      await submit("updates-signup");
      await send();
      expect(mailer.received).toHaveLength(1);
      expect(await signups.countUnconfirmed()).toBe(2);
      await confirmations.confirm(getToken() ?? "", visitor);
      expect(await signups.countUnconfirmed()).toBe(0);
      await submit("early-access", { email: "never@example.com" });
      clock.forward(days(33));
      expect(await confirmations.sweep()).toBe(1);
      await expectCountsToAgree(database);
    });
  });

  describe("have", () => {
    it("the text of the moment they are sent", async () => {
      const { turnOn, rules, submit, send, mailer, automaticEmails, findIds } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      const { textId } = await rules.get("thank-you");
      const content = {
        subject: "New, {{first_name}}",
        message: "**New** text",
        format: "markdown",
      } as const;
      expect(await rules.save("thank-you", content, textId, operator)).toEqual({ ok: true });
      await send();
      expect(mailer.received[0]).toMatchObject({ subject: "New, Ada" });
      expect(mailer.received[0]?.html).toContain("<strong>New</strong> text");

      const later = { ...content, subject: "Newer", message: "Newer text" };
      await rules.save("thank-you", later, (await rules.get("thank-you")).textId, operator);
      const [id = ""] = await findIds();
      expect(await automaticEmails.composeSent(id)).toMatchObject({ subject: "New, Ada" });
    });

    // C42
    it.each(["thank-you", "receipt"] as const)("no name that is a link, in a %s", async (rule) => {
      const { turnOn, submit, send, mailer } = setUp();
      await turnOn(rule);
      const form = rule === "thank-you" ? "early-access" : "contact-form";
      await submit(form, { name: "Win at evil.example now" });
      await send();
      expect(mailer.received).toHaveLength(1);
      const { html = "", text = "", to } = mailer.received[0] ?? {};
      expect(`${html}${text}${to?.name}`).not.toMatch(/evil\.example|Engines|Message 1/);
      expect(text).toContain("Hello there,");
    });

    // C20
    it.each([
      ["early-access", true],
      ["updates-signup", true],
      ["contact-form", false],
    ] as const)("a link to unsubscribe after %s: %s", async (form, isOnList) => {
      const { turnOn, submit, send, mailer, unsubscribing } = setUp();
      await turnOn("thank-you", "welcome", "receipt");
      await submit(form);
      await send();
      const { headers = {}, text = "" } = mailer.received[0] ?? {};
      const token = /unsubscribe\/([^>]+)>/.exec(headers["List-Unsubscribe"] ?? "")?.[1];
      expect(token !== undefined).toBe(isOnList);
      expect(text.includes("/unsubscribe/")).toBe(isOnList);
      if (token === undefined) return;
      expect(await unsubscribing.unsubscribe(token, visitor)).toEqual({
        ok: true,
        address: "Ada@Example.com",
      });
      expect(await unsubscribing.unsubscribe(token, visitor)).toMatchObject({ ok: true });
      expect(await isSuppressed(database, "ada@example.com")).toBe(true);
      const audit = await readAudit(database);
      expect(audit.filter(({ action }) => action === "unsubscribe")).toHaveLength(1);
    });
  });

  it("keep the text of a colleague, and record who changed what", async () => {
    const { rules } = setUp();
    const content = { subject: "One", message: "Text", format: "text" } as const;
    expect(await rules.save("receipt", content, "", operator)).toEqual({ ok: true });
    const second = await rules.save("receipt", { ...content, subject: "Two" }, "", operator);
    expect(second).toMatchObject({ ok: false, error: "changed", current: { content, isOn: false } });
    expect(await rules.save("receipt", content, "", operator)).toEqual({ ok: true });
    await rules.turn("receipt", true, operator);
    await rules.turn("receipt", true, operator);
    await rules.turn("receipt", false, operator);
    expect((await readAudit(database)).map(({ action, subject }) => [action, subject])).toEqual([
      ["change-automatic-email", "receipt"],
      ["turn-on-automatic-email", "receipt"],
      ["turn-off-automatic-email", "receipt"],
    ]);
  });

  it("name nobody as the author of the text that the product comes with", async () => {
    const { rules } = setUp();
    await rules.turn("receipt", true, operator);
    const { textId, content, saved } = await rules.get("receipt");
    expect(textId).not.toBe("");
    expect(saved).toBeUndefined();
    expect(await rules.save("receipt", content, textId, operator)).toEqual({ ok: true });
    expect(await rules.get("receipt")).toMatchObject({ textId, saved: undefined });
    await rules.save("receipt", { ...content, subject: "Mine" }, textId, operator);
    expect((await rules.get("receipt")).saved).toMatchObject({ by: operator.by });
  });

  it("keep one of several first texts that are saved at once, and refuse the others", async () => {
    const { rules } = setUp();
    const saved = await Promise.all(
      ["One", "Two", "Three", "Four"].map((subject) =>
        rules.save("receipt", { subject, message: "Text", format: "text" }, "", operator),
      ),
    );
    const refused = saved.filter((outcome) => !outcome.ok);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.current.content).toEqual((await rules.get("receipt")).content);
  });

  it("are counted by what became of them, and listed newest first", async () => {
    const { turnOn, submit, send, clock, automaticEmails } = setUp();
    await turnOn("thank-you", "receipt");
    await submit("contact-form");
    await send();
    clock.forward(1);
    await submit("early-access");
    await submit("early-access", { email: "grace@example.com" });
    await send();
    await submit("early-access", { email: "waiting@example.com" });
    const counts = await automaticEmails.countEmails();
    expect(counts["thank-you"]).toEqual({
      sent: 1,
      waiting: 1,
      failed: 0,
      uncertain: 0,
      skipped: 1,
      skippedByReason: { "daily-limit": 1 },
    });
    expect(counts.receipt).toMatchObject({ sent: 1, skipped: 0 });
    const listed = await automaticEmails.listEmails("thank-you", { limit: 10 });
    expect(listed.map(({ address, state, hasText }) => [address, state, hasText])).toEqual([
      ["waiting@example.com", "pending", false],
      ["grace@example.com", "sent", true],
      ["Ada@Example.com", "skipped", false],
    ]);
    expect(listed.every(({ personId }) => personId !== undefined)).toBe(true);
    const page = await automaticEmails.listEmails("thank-you", { limit: 1, before: listed[0]?.id });
    expect(page).toMatchObject([{ address: "grace@example.com" }]);
  });

  it("that a restored backup had on their way do not go", async () => {
    const { turnOn, submit, send, states, mailer } = setUp();
    await turnOn("thank-you");
    await submit("early-access");
    await database.write((trx) => skipAutomaticEmails(trx, 1));
    await send();
    expect(await states()).toEqual(["thank-you skipped: restored"]);
    expect(mailer.received).toEqual([]);
  });

  it("are in the data of their person, and erased with them", async () => {
    const { turnOn, submit, send, clock, states, automaticEmails, findIds } = setUp();
    await turnOn("thank-you");
    await submit("early-access");
    await send();
    const personData = createPersonData(database);
    const people = createPeople({ database, clock, newId, personData });
    const [row] = await database.read.selectFrom("people").select("id").execute();
    const person = row?.id ?? "";
    expect((await people.find(person, { limit: 5 }))?.otherEmails).toMatchObject([
      { kind: "thank-you", state: "sent", subject: "You are on the list for Confer" },
    ]);
    expect(await people.erase(person, operator)).toMatchObject({ ok: true });
    expect(JSON.stringify(await listEmails(database))).not.toMatch(/ada@/i);
    const [id = ""] = await findIds();
    expect(await automaticEmails.composeSent(id)).toBeUndefined();
    expect(await automaticEmails.resend(id, newId(), operator)).toEqual({ ok: false, error: "gone" });
    // Who signs up again is somebody new.
    clock.forward(days(1));
    await submit("early-access");
    await send();
    expect(await states()).toEqual(["thank-you sent", "thank-you sent"]);
  });

  it("are shown as they were sent after their person's address was corrected", async () => {
    const { automaticEmails, turnOn, submit, send, findIds } = setUp();
    await turnOn("thank-you");
    await submit("early-access", { email: "typo@example.com" });
    await send();
    const [id = ""] = await findIds();
    const shown = await automaticEmails.composeSent(id);
    const [person] = await database.read.selectFrom("people").select("id").execute();
    const { correct } = createTestCorrections(database);
    expect(await correct(person?.id ?? "", { email: "right@example.com" })).toMatchObject({ ok: true });
    expect(shown).toMatchObject({ to: { address: "typo@example.com" } });
    expect(await automaticEmails.composeSent(id)).toEqual(shown);
  });

  it("that are sent again while their person is erased name nobody", async () => {
    const { turnOn, submit, send, clock, findIds } = setUp();
    await turnOn("thank-you");
    await submit("early-access");
    await send();
    const [id = ""] = await findIds();
    const people = createPeople({ database, clock, newId, personData: createPersonData(database) });
    const [person] = await database.read.selectFrom("people").select("id").execute();
    let erasing: ReturnType<typeof people.erase> | undefined;
    const overtaken = createOvertakenDatabase(
      database,
      () => (erasing = people.erase(person?.id ?? "", operator)),
    );
    const { automaticEmails } = createTestAutomatic(overtaken);
    expect(await automaticEmails.resend(id, newId(), operator)).toEqual({ ok: true });
    expect(await erasing).toMatchObject({ ok: true });
    expect(JSON.stringify(await listEmails(database))).not.toMatch(/ada@/i);
  });

  describe("can be sent again", () => {
    it("once for each form that asks, on the same day too", async () => {
      const { turnOn, submit, send, states, automaticEmails, findIds, mailer } = setUp();
      await turnOn("thank-you");
      await submit("early-access");
      await send();
      const [id = ""] = await findIds();
      const form = newId();
      await Promise.all([1, 2, 3].map(() => automaticEmails.resend(id, form, operator)));
      await send();
      expect(await states()).toEqual(["thank-you sent", "thank-you sent"]);
      expect(mailer.received).toHaveLength(2);
      const [again] = await automaticEmails.listEmails("thank-you", { limit: 1 });
      expect(again).toMatchObject({ resentBy: operator.by });
      const audit = await readAudit(database);
      expect(audit.filter(({ action }) => action === "resend-automatic-email")).toMatchObject([
        { actor: operator.by, subject: "Ada@Example.com (thank-you)" },
      ]);
    });

    it("where it was skipped, and is then not sent by itself", async () => {
      const { turnOn, submit, send, states, automaticEmails, findIds, clock } = setUp();
      await turnOn("receipt", "thank-you");
      await submit("contact-form");
      await send();
      await submit("early-access");
      await send();
      expect(await states()).toEqual(["receipt sent", "thank-you skipped: daily-limit"]);
      const id = (await findIds()).at(-1) ?? "";
      await automaticEmails.resend(id, newId(), operator);
      await send();
      clock.forward(days(1));
      await submit("early-access", { name: "Ada King" });
      await send();
      expect(await states()).toEqual(["receipt sent", "thank-you skipped: daily-limit", "thank-you sent"]);
    });

    it("where it was skipped, and is then not sent by itself to an address corrected since", async () => {
      const { turnOn, submit, send, states, automaticEmails, findIds, clock, mailer } = setUp();
      await turnOn("thank-you");
      const { correct } = createTestCorrections(database);
      await submit("early-access", { email: "typo@example.com" });
      const [person] = await database.read.selectFrom("people").select("id").execute();
      expect(await correct(person?.id ?? "", { email: "wrong@example.com" })).toMatchObject({ ok: true });
      await send();
      const [id = ""] = await findIds();
      expect(await automaticEmails.resend(id, newId(), operator)).toEqual({ ok: true });
      await send();
      for (const email of ["right@example.com", "newer@example.com"]) {
        expect(await correct(person?.id ?? "", { email })).toMatchObject({ ok: true });
        clock.forward(days(1));
        await submit("early-access", { email, name: `Ada of ${email}` });
        await send();
      }
      expect(await states()).toEqual(["thank-you skipped: gone", "thank-you sent"]);
      expect(mailer.recipients).toEqual(["wrong@example.com"]);
    });

    it("where it was skipped, and by the next form where that waits for an address corrected since", async () => {
      const { turnOn, rules, submit, send, states, automaticEmails, findIds, mailer } = setUp();
      await turnOn("thank-you");
      await submit("early-access", { email: "typo@example.com" });
      await rules.turn("thank-you", false, operator);
      await send();
      await turnOn("thank-you");
      const [id = ""] = await findIds();
      expect(await automaticEmails.resend(id, newId(), operator)).toEqual({ ok: true });
      const [person] = await database.read.selectFrom("people").select("id").execute();
      const { correct } = createTestCorrections(database);
      expect(await correct(person?.id ?? "", { email: "right@example.com" })).toMatchObject({ ok: true });
      await submit("early-access", { email: "right@example.com", name: "Ada King" });
      await send();
      expect((await states()).toSorted()).toEqual(["thank-you sent", "thank-you skipped: gone"]);
      expect(mailer.recipients).toEqual(["right@example.com"]);
    });

    it("unless a form has queued one for the person since, which waits", async () => {
      const automatic = setUp();
      const { submit, send, states, automaticEmails, mailer } = automatic;
      const { resent } = await skipTwo(automatic);
      await submit("early-access", { name: "Ada King" });
      expect(await automaticEmails.resend(resent, newId(), operator)).toEqual({
        ok: false,
        error: "waiting",
      });
      await send();
      expect((await states()).toSorted()).toEqual(["thank-you sent", "thank-you skipped: rule-off"]);
      expect(mailer.received).toHaveLength(1);
    });

    it("unless a form queues one for the person at that moment", async () => {
      const automatic = setUp();
      const { send, automaticEmails, mailer } = automatic;
      const { resent } = await skipTwo(automatic);
      let resending: ReturnType<typeof automaticEmails.resend> | undefined;
      const overtaken = createOvertakenDatabase(
        database,
        () => (resending = automaticEmails.resend(resent, newId(), operator)),
      );
      await createTestAutomatic(overtaken).submit("early-access", { name: "Ada King" });
      expect(await resending).toEqual({ ok: false, error: "waiting" });
      await send();
      expect(mailer.received).toHaveLength(1);
    });

    it("so that a form at that moment queues none", async () => {
      const automatic = setUp();
      const { submit, send, mailer } = automatic;
      const { first } = await skipTwo(automatic);
      let submitting: ReturnType<typeof submit> | undefined;
      const overtaken = createOvertakenDatabase(
        database,
        () => (submitting = submit("early-access", { name: "Ada King" })),
      );
      const { automaticEmails } = createTestAutomatic(overtaken);
      expect(await automaticEmails.resend(first, newId(), operator)).toEqual({ ok: true });
      await submitting;
      await send();
      expect(mailer.received).toHaveLength(1);
    });

    /** Lets a thank-you be skipped, sent again, and skipped again. @returns the ids of the two emails. */
    async function skipTwo({ rules, submit, send, automaticEmails, findIds }: TestAutomatic) {
      const sendWhileOff = async () => {
        await rules.turn("thank-you", false, operator);
        await send();
        await rules.turn("thank-you", true, operator);
      };
      await rules.turn("thank-you", true, operator);
      await submit("early-access");
      await sendWhileOff();
      const [first = ""] = await findIds();
      expect(await automaticEmails.resend(first, newId(), operator)).toEqual({ ok: true });
      await sendWhileOff();
      const [, resent = ""] = await findIds();
      return { first, resent };
    }

    it("unless that cannot go", async () => {
      const { turnOn, rules, submit, send, automaticEmails, findIds } = setUp();
      const resend = (id: string) => automaticEmails.resend(id, newId(), operator);
      expect(await resend(newId())).toEqual({ ok: false, error: "unknown" });
      await turnOn("thank-you");
      await submit("early-access");
      const [id = ""] = await findIds();
      expect(await resend(id)).toEqual({ ok: false, error: "waiting" });
      await send();
      await rules.turn("thank-you", false, operator);
      expect(await resend(id)).toEqual({ ok: false, error: "rule-off" });
      await rules.turn("thank-you", true, operator);
      await suppress(database, "ada@example.com");
      expect(await resend(id)).toEqual({ ok: false, error: "suppressed" });
      expect(await listEmails(database)).toHaveLength(1);
    });
  });

  it("are shown and tried with links that do nothing", async () => {
    const { rules, submit, automaticEmails, mailer } = setUp();
    await submit("early-access", { name: "Grace Hopper", email: "grace@example.com" });
    const to = { address: "grace@example.com" };
    expect(await automaticEmails.previewText("thank-you")).toMatchObject({
      first: { to, text: expect.stringContaining("Hello Grace,") },
      nameless: { to, text: expect.stringContaining("Hello there,") },
    });
    expect((await automaticEmails.previewEmail("welcome")).first.text).toContain("unsubscribe/preview");
    await rules.save("receipt", { subject: "Mine", message: "Mine", format: "text" }, "", operator);
    expect(await automaticEmails.sendTest("receipt", operator)).toEqual({ ok: true });
    expect(mailer.received).toMatchObject([{ subject: "Mine", to: { address: operator.by } }]);
    expect(await readAudit(database)).toMatchObject([
      { action: "change-automatic-email" },
      { action: "send-test-email" },
    ]);
  });
});
