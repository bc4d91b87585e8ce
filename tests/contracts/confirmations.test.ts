import { describe, expect, it } from "vitest";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { requestAddressLink } from "~/services/confirmations/address-link.server";
import { newId } from "~/services/service-deps";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { getLeastUuid } from "~/lib/uuid";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createTestConfirmations, visitor } from "../factories/confirmations";
import { ada } from "../factories/forms";
import { createTestOutreach, operator, suppress } from "../factories/outreach";
import { describeOnDatabases } from "./use-database";

const STORED = { ok: true, outcome: "stored" };

describeOnDatabases("signups that wait for a confirmation on %s", ({ database }) => {
  const setUp = (options?: { isRequired: boolean }) => createTestConfirmations(database, undefined, options);

  it("are in no count, list or audience until they are confirmed", async () => {
    const { signups, signUp, send, confirmations, link, counts } = setUp();
    const { outreach } = createTestOutreach(database);
    const previewAudience = () => outreach.previewAudience({ audience: "updates-signup" });
    expect(await signUp()).toEqual(STORED);
    await send();
    expect(await counts()).toEqual({ unconfirmed: 1 });
    expect((await signups.counts())["updates-signup"]).toBe(0);
    expect(await signups.list("updates-signup", { limit: 10 })).toEqual([]);
    expect(await previewAudience()).toMatchObject({ total: 0, firstFive: [] });

    expect(await confirmations.confirm(link(), visitor)).toBe("open");
    expect(await counts()).toEqual({ accepted: 1 });
    expect((await signups.counts())["updates-signup"]).toBe(1);
    expect(await signups.list("updates-signup", { limit: 10 })).toMatchObject([{ name: "Ada Byron" }]);
    expect(await previewAudience()).toMatchObject({ total: 1, firstFive: ["ada@example.com"] });
  });

  it("have a consent at once, and one audit entry of the confirmation", async () => {
    const { signUp, send, confirmations, link } = setUp();
    await signUp("Ada@Example.com");
    expect(await database.read.selectFrom("consents").select("email_key").execute()).toEqual([
      { email_key: "ada@example.com" },
    ]);
    await send();
    await confirmations.confirm(link(), visitor);
    await confirmations.confirm(link(), visitor);
    expect(await readAudit(database)).toMatchObject([
      { actor: "visitor", action: "confirm-signup", subject: "Ada@Example.com", network: "203.0.113.0" },
    ]);
  });

  it("are only those for updates: other forms are accepted at once", async () => {
    const { signups, createForm, counts, send, mailer } = setUp();
    await signups.record("early-access", ada, createForm());
    await send();
    expect(await counts()).toEqual({ accepted: 1 });
    expect(mailer.received).toEqual([]);
  });

  it("do not exist without DOUBLE_OPT_IN", async () => {
    const { signups, signUp, getRequest, wakes } = setUp({ isRequired: false });
    await signUp();
    expect(signups.needsConfirmation("updates-signup")).toBe(false);
    expect(wakes()).toBe(0);
    expect((await signups.counts())["updates-signup"]).toBe(1);
    await expect(getRequest()).rejects.toThrow("no result");
  });

  it("send no email for quarantined submissions", async () => {
    const { signups, createForm, counts, send, mailer } = setUp();
    const form = createForm({ stamp: "forged" });
    await signups.record("updates-signup", { name: "Ada", email: "ada@example.com" }, form);
    await signups.record("updates-signup", { name: "Ada", email: "ada@example.com" }, form);
    await send();
    expect(await counts()).toEqual({ quarantined: 1 });
    expect(mailer.received).toEqual([]);
  });

  it("are counted where they are released from quarantine", async () => {
    const { signups, createForm, confirmations, clock, counts, signUpAndSend, link } = setUp();
    const quarantine = createQuarantine({ database, clock, newId, optIn: confirmations.optIn });
    await signUpAndSend("grace@example.com");
    await confirmations.confirm(link(), visitor);
    const form = () => createForm({ stamp: "forged" });
    for (const email of ["ada@example.com", "alan@example.com", "grace@example.com"]) {
      await signups.record("updates-signup", { name: "Somebody", email }, form());
    }
    await signups.record("early-access", ada, form());
    const [newest] = await quarantine.list({}, { limit: 1 });
    const all = { through: newest!.id };
    expect(await quarantine.release(all, operator)).toEqual({ count: 4, unconfirmed: 2 });
    expect(await counts()).toEqual({ accepted: 3, unconfirmed: 2 });
    expect(await quarantine.release(all, operator)).toEqual({ count: 0, unconfirmed: 0 });
  });

  // C2
  it("get the same response whatever the address is", async () => {
    const { signUp, send, confirmations, link, wakes } = setUp();
    expect(await signUp("new@example.com")).toEqual(STORED);
    expect(await signUp("new@example.com", "Another Name")).toEqual(STORED);
    await send();
    await confirmations.confirm(link(), visitor);
    expect(await signUp("new@example.com", "A Third Name")).toEqual(STORED);
    await suppress(database, "new@example.com", "unsubscribed");
    expect(await signUp("new@example.com", "A Fourth Name")).toEqual(STORED);
    await suppress(database, "refused@example.com", "refused");
    expect(await signUp("refused@example.com")).toEqual(STORED);
    expect(wakes()).toBe(4);
  });

  describe("the email", () => {
    // C20
    it("goes to an address once an hour at most", async () => {
      const { signUp, signUpAndSend, send, mailer, clock, link, tokens } = setUp();
      await signUpAndSend();
      clock.forward(hours(1) - seconds(1));
      await signUp();
      await signUpAndSend("ADA@example.com", "Another Name");
      expect(mailer.received).toHaveLength(1);
      clock.forward(seconds(1));
      expect(await signUp()).toEqual({ ok: true, outcome: "repeated" });
      await send();
      expect(mailer.received).toHaveLength(2);
      const [first, second] = mailer.received.map((email) => tokens.readToken(link(email)));
      expect(second?.requested_at).toBe((first?.requested_at ?? 0) + hours(1));
      expect(new Set(mailer.received.map((email) => email.messageId)).size).toBe(2);
    });

    it("goes once for fifty signups at the same moment", async () => {
      const { signUp, send, mailer, states } = setUp();
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => signUp("ada@example.com", `Ada ${index % 10}`)),
      );
      await send();
      expect(mailer.received).toHaveLength(1);
      expect((await states()).length).toBe(10);
    });

    it("does not go to an address that confirmed before, whose signup counts at once", async () => {
      const { signUpAndSend, mailer, clock, confirmations, link, counts } = setUp();
      await signUpAndSend();
      await confirmations.confirm(link(), visitor);
      clock.forward(days(400));
      await signUpAndSend("ada@example.com", "Ada Lovelace");
      expect(mailer.received).toHaveLength(1);
      expect(await counts()).toEqual({ accepted: 2 });
    });
  });

  describe("a link", () => {
    it("expires after two days", async () => {
      const { signUpAndSend, confirmations, clock, link, counts } = setUp();
      await signUpAndSend();
      clock.forward(hours(48) - 1);
      expect(await confirmations.getLinkState(link())).toBe("open");
      clock.forward(1);
      expect(await confirmations.getLinkState(link())).toBe("expired");
      expect(await confirmations.confirm(link(), visitor)).toBe("expired");
      expect(await counts()).toEqual({ unconfirmed: 1 });
    });

    it("changes nothing when it is opened, and confirms once", async () => {
      const { signUpAndSend, confirmations, link, counts } = setUp();
      await signUpAndSend();
      for (let time = 0; time < 2; time += 1) expect(await confirmations.getLinkState(link())).toBe("open");
      expect(await counts()).toEqual({ unconfirmed: 1 });
      const clicks = await Promise.all([1, 2, 3].map(() => confirmations.confirm(link(), visitor)));
      expect(clicks.toSorted()).toEqual(["confirmed", "confirmed", "open"]);
      expect(await confirmations.getLinkState(link())).toBe("confirmed");
      expect(await counts()).toEqual({ accepted: 1 });
    });

    it("accepts all signups of its address alone, and voids the earlier link", async () => {
      const { signUp, signUpAndSend, confirmations, clock, link, mailer, counts } = setUp();
      await signUp("ada@example.com", "Adda Byron");
      await signUpAndSend("grace@example.com");
      clock.forward(hours(1));
      await signUpAndSend("ada@example.com", "Ada Byron");
      const [first, , second] = mailer.received.map((email) => link(email));
      expect(await confirmations.getLinkState(first ?? "")).toBe("open");
      expect(await confirmations.confirm(second ?? "", visitor)).toBe("open");
      expect(await counts()).toEqual({ accepted: 2, unconfirmed: 1 });
      expect(await confirmations.confirm(first ?? "", visitor)).toBe("confirmed");
    });

    it("of an earlier email still confirms, and skips the pending email", async () => {
      const { signUp, signUpAndSend, send, confirmations, clock, link, mailer } = setUp();
      await signUpAndSend();
      clock.forward(hours(1));
      await signUp();
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      await send();
      expect(mailer.received).toHaveLength(1);
    });

    it("about an address does not take the place of one for a signup after an unsubscription", async () => {
      const { signUp, send, confirmations, clock, tokens, link, mailer } = setUp({ isRequired: false });
      const address = { address: "ada@example.com", email_key: "ada@example.com" };
      const request = await requestAddressLink({ database, clock, newId }, address);
      clock.forward(hours(48));
      expect(await confirmations.sendNewLink(tokens.createToken(request!))).toEqual({ ok: true });
      await send();
      await suppress(database, "ada@example.com", "unsubscribed");
      clock.forward(minutes(10));
      await signUp();
      await send();
      expect(mailer.received).toHaveLength(1);
      clock.forward(minutes(50));
      await send();
      expect(mailer.received).toHaveLength(2);
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    });

    it("about an address does not use up the one for a signup after an unsubscription", async () => {
      const { signUp, send, confirmations, clock, tokens, link } = setUp({ isRequired: false });
      const address = { address: "ada@example.com", email_key: "ada@example.com" };
      const ofThankYou = await requestAddressLink({ database, clock, newId }, address);
      await suppress(database, "ada@example.com", "unsubscribed");
      await signUp();
      await send();
      expect(await confirmations.confirm(tokens.createToken(ofThankYou!), visitor)).toBe("unknown");
      expect(await isSuppressed(database, "ada@example.com")).toBe(true);
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    });

    it("that expired can be renewed by email once an hour", async () => {
      const { signUpAndSend, send, confirmations, clock, link, mailer, wakes } = setUp();
      await signUpAndSend("Ada@Example.com");
      const old = link();
      clock.forward(hours(48));
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: true });
      expect(wakes()).toBe(2);
      await send();
      expect(mailer.recipients).toEqual(["Ada@Example.com", "Ada@Example.com"]);
      clock.forward(hours(1) - seconds(1));
      const limited = { ok: false, error: "limited", retryAfterSeconds: 1 };
      expect(await confirmations.sendNewLink(old)).toEqual(limited);
      clock.forward(seconds(1));
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: true });
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: true });
      await send();
      expect(mailer.received).toHaveLength(3);
      expect(await confirmations.getLinkState(old)).toBe("expired");
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: false, error: "confirmed" });
    });
  });

  describe("an address that unsubscribed", () => {
    it("must confirm again, which lifts the unsubscription", async () => {
      const { signUp, signUpAndSend, send, confirmations, clock, link, mailer, counts } = setUp();
      await signUpAndSend();
      const used = link();
      await confirmations.confirm(used, visitor);
      await suppress(database, "ada@example.com", "unsubscribed");
      clock.forward(hours(2));
      await signUp("ada@example.com", "Ada Lovelace");
      expect(await counts()).toEqual({ accepted: 1, unconfirmed: 1 });
      await send();
      expect(mailer.received).toHaveLength(2);
      expect(await confirmations.confirm(used, visitor)).toBe("unknown");
      expect(await isSuppressed(database, "ada@example.com")).toBe(true);
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      expect(await isSuppressed(database, "ada@example.com")).toBe(false);
      expect(await counts()).toEqual({ accepted: 2 });
    });

    it("must confirm without DOUBLE_OPT_IN too, but not to sign up", async () => {
      const fixture = setUp({ isRequired: false });
      const { signups, createForm, signUp, send, confirmations, link, mailer, states, wakes } = fixture;
      await suppress(database, "ada@example.com", "unsubscribed");
      const person = { email: "ada@example.com", message: "Hello", inquiry_type: "general" } as const;
      await signups.record("contact-form", { name: "Ada", ...person }, createForm());
      await send();
      expect(mailer.received).toEqual([]);

      await signups.record("early-access", ada, createForm());
      await signUp();
      expect(await states()).toEqual(["accepted", "accepted", "accepted"]);
      expect(wakes()).toBe(2);
      await send();
      expect(mailer.received).toHaveLength(1);
      expect(await isSuppressed(database, "ada@example.com")).toBe(true);
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    });

    it.each(["refused", "bounced", "complained", "added"] as const)(
      "need not confirm without DOUBLE_OPT_IN when it is suppressed as %s",
      async (reason) => {
        const { signUpAndSend, mailer, wakes } = setUp({ isRequired: false });
        await suppress(database, "ada@example.com", reason);
        await signUpAndSend();
        expect(wakes()).toBe(0);
        expect(mailer.received).toEqual([]);
      },
    );

    it("within an hour of an email gets the next one after that hour", async () => {
      const { signUp, signUpAndSend, send, confirmations, clock, link, mailer } = setUp();
      await signUpAndSend();
      await confirmations.confirm(link(), visitor);
      await suppress(database, "ada@example.com", "unsubscribed");
      clock.forward(minutes(10));
      await signUp();
      clock.forward(minutes(50) - 1);
      await send();
      expect(mailer.received).toHaveLength(1);
      clock.forward(1);
      await send();
      expect(mailer.received).toHaveLength(2);
    });
  });

  it("are removed with their consents a month after their link expired, and no others", async () => {
    const { signUp, signUpAndSend, confirmations, clock, link, counts } = setUp();
    for (const name of ["Ada", "Ada Byron", "Ada Lovelace"]) await signUp("ada@example.com", name);
    await signUpAndSend("grace@example.com");
    await confirmations.confirm(link(), visitor);
    clock.forward(days(1));
    await signUpAndSend("zoe@example.com");
    clock.forward(hours(48) + days(29) - 1);
    expect(await confirmations.sweep()).toBe(0);
    clock.forward(1);
    expect(await confirmations.sweep()).toBe(3);
    expect(await counts()).toEqual({ accepted: 1, unconfirmed: 1 });
    const left = (table: "consents" | "confirmations") =>
      database.read.selectFrom(table).select("email_key").orderBy("email_key").execute();
    const others = [{ email_key: "grace@example.com" }, { email_key: "zoe@example.com" }];
    expect(await left("consents")).toEqual(others);
    expect(await left("confirmations")).toEqual(others);
  });

  it("are removed without the accepted signups of their address", async () => {
    const { signUp, signUpAndSend, confirmations, clock, link, counts } = setUp();
    await signUpAndSend();
    await confirmations.confirm(link(), visitor);
    await suppress(database, "ada@example.com", "unsubscribed");
    await signUp("ada@example.com", "Ada Lovelace");
    expect(await counts()).toEqual({ accepted: 1, unconfirmed: 1 });
    clock.forward(days(32));
    expect(await confirmations.sweep()).toBe(1);
    expect(await counts()).toEqual({ accepted: 1 });
  });

  it("are removed also where nobody is asked about them, as after a correction to a confirmed address", async () => {
    const { signUp, confirmations, clock } = setUp();
    await signUp();
    const stored = database.read.selectFrom("submissions").selectAll();
    const one = await stored.executeTakeFirstOrThrow();
    await database.write(async (trx) => {
      // Ids tell the time.
      const id = getLeastUuid(clock());
      await trx
        .insertInto("submissions")
        .values({ ...one, id })
        .execute();
      await trx.updateTable("confirmations").set({ confirmed_at: 9 }).execute();
    });
    clock.forward(days(32));
    expect(await confirmations.sweep()).toBe(0);
    clock.forward(1);
    expect(await confirmations.sweep()).toBe(1);
    expect(await stored.execute()).toEqual([one]);
  });

  it("are removed in batches", async () => {
    const { signUp, confirmations, clock, getRequest, states } = setUp();
    await signUp();
    const stored = database.read.selectFrom("submissions").selectAll();
    const { id: _, ...one } = await stored.executeTakeFirstOrThrow();
    const many = Array.from({ length: 1200 }, () => ({ ...one, id: newId() }));
    await database.write((trx) => trx.insertInto("submissions").values(many).execute());
    clock.forward(days(33));
    expect(await confirmations.sweep()).toBe(1201);
    expect(await states()).toEqual([]);
    await expect(getRequest()).rejects.toThrow("no result");
  });
});
