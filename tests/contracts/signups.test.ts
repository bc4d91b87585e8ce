import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, minutes } from "~/lib/durations";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import type { EarlyAccessSignup, SubmissionContext, Signups } from "~/services/signups/signups.server";
import { dialects } from "../databases";
import { ada, createSubmissionContext, createTestSignups } from "../factories/forms";
import { useDatabase } from "./use-database";

describe.each(dialects)("early access signups on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  function setUp() {
    const { stamp, signups, ...parts } = createTestSignups(database);
    const sign = (signup: Partial<EarlyAccessSignup> = {}, differing: Partial<SubmissionContext> = {}) =>
      signups.recordEarlyAccessSignup({ ...ada, ...signup }, createSubmissionContext(stamp, differing));
    return { ...parts, signups, sign, stamp };
  }
  const rows = () => database.read.selectFrom("submissions").selectAll().orderBy("id").execute();

  it("keeps a signup with its consent and counts it", async () => {
    const { sign, signups, clock } = setUp();
    expect(await sign()).toEqual({ ok: true, outcome: "stored" });
    expect(await rows()).toEqual([
      {
        id: expect.any(String),
        kind: "early-access",
        state: "accepted",
        quarantine_reason: "",
        ...ada,
        email_key: "ada@example.com",
        inquiry_type: "",
        message: "",
        created_at: clock(),
        admitted_at: null,
        audience_position: 1,
        deletion_id: null,
      },
    ]);
    expect(await database.read.selectFrom("consents").selectAll().execute()).toEqual([
      {
        submission_id: (await rows())[0]!.id,
        email_key: "ada@example.com",
        form: "early-access",
        wording: "You may write to me.",
        wording_version: "2026-11",
        network: "203.0.113.0",
        given_at: clock(),
      },
    ]);
    expect(await signups.counts()).toEqual({ "early-access": 1, "contact-form": 0, "updates-signup": 0 });
  });

  it("lands the same content once within a day, however often and however close together (C26)", async () => {
    const { sign, clock, signups, stamps } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => sign()));
    expect(outcomes.filter((one) => one.ok && one.outcome === "stored")).toHaveLength(1);
    expect(outcomes.filter((one) => one.ok && one.outcome === "repeated")).toHaveLength(49);
    clock.forward(hours(23));
    expect(await sign({ email: "ada@example.com" })).toEqual({ ok: true, outcome: "repeated" });
    expect(await rows()).toHaveLength(1);
    clock.forward(hours(2));
    expect(await sign({}, { stamp: stamps.make(clock() - minutes(1)) })).toEqual({
      ok: true,
      outcome: "stored",
    });
    expect((await signups.counts())["early-access"]).toBe(2);
  });

  it.each([
    ["a filled honeypot", "honeypot", { honeypot: "https://spam.example" }],
    ["no stamp", "forged-form", { stamp: "" }],
    ["a stamp signed by someone else", "forged-form", { stamp: createFormStamps("other").make(Date.now()) }],
  ])("quarantines a form with %s, uncounted, and answers as ever (C27)", async (_, reason, differing) => {
    const { sign, signups } = setUp();
    expect(await sign({}, differing)).toMatchObject({ ok: true });
    expect((await rows()).map((row) => [row.state, row.quarantine_reason])).toEqual([
      ["quarantined", reason],
    ]);
    expect((await signups.counts())["early-access"]).toBe(0);
    expect(await signups.list("early-access", { limit: 10 })).toEqual([]);
  });

  it("quarantines a form sent within two seconds of its rendering, and still takes the person's second try (C27)", async () => {
    const { signups, stamps, clock, sign } = setUp();
    const stamp = stamps.make(clock());
    clock.forward(1_900);
    const fast = await signups.recordEarlyAccessSignup({ ...ada }, createSubmissionContext(stamp));
    expect(fast).toEqual({ ok: true, outcome: "quarantined" });
    expect(await sign()).toEqual({ ok: true, outcome: "stored" });
  });

  it("takes a form stamped by an instance whose clock is four minutes ahead (R35)", async () => {
    const { sign, stamps, clock, signups } = setUp();
    const stamp = stamps.make(clock() + minutes(4));
    expect(await sign({}, { stamp })).toEqual({ ok: true, outcome: "stored" });
    expect((await signups.counts())["early-access"]).toBe(1);
  });

  it("quarantines a form stamped further ahead than clocks differ (R35)", async () => {
    const { sign, stamps, clock } = setUp();
    const stamp = stamps.make(clock() + minutes(6));
    expect(await sign({}, { stamp })).toEqual({ ok: true, outcome: "quarantined" });
  });

  it("asks to send again when the form is more than a day old, and stores nothing", async () => {
    const { sign, clock } = setUp();
    clock.forward(hours(24));
    expect(await sign()).toEqual({ ok: false, error: "expired" });
    expect(await rows()).toEqual([]);
  });

  it("refuses the eleventh different form from one network in a minute and takes the next after it (C27)", async () => {
    const { sign, clock } = setUp();
    for (let count = 1; count <= 10; count += 1) {
      expect(await sign({ email: `p${count}@example.com` })).toEqual({ ok: true, outcome: "stored" });
    }
    expect(await sign({ email: "p11@example.com" })).toEqual({
      ok: false,
      error: "limited",
      retryAfterSeconds: 60,
    });
    expect((await sign({ email: "p11@example.com" }, { address: "198.51.100.7" })).ok).toBe(true);
    clock.forward(minutes(1));
    expect(await sign({ email: "p12@example.com" })).toEqual({ ok: true, outcome: "stored" });
  });

  it("takes the same content as new when its day is over, and not a millisecond before (C26)", async () => {
    const { sign, clock, stamps } = setUp();
    const later = () => sign({}, { stamp: stamps.make(clock() - minutes(1)) });
    await sign();
    clock.forward(hours(24) - 1);
    expect(await later()).toEqual({ ok: true, outcome: "repeated" });
    clock.forward(1);
    expect(await later()).toEqual({ ok: true, outcome: "stored" });
  });

  it("stores a form that was refused for being too many when it is sent again (C27)", async () => {
    const { sign, clock } = setUp();
    for (let count = 1; count <= 10; count += 1) await sign({ email: `p${count}@example.com` });
    expect(await sign({ email: "p11@example.com" })).toMatchObject({ ok: false, error: "limited" });
    clock.forward(minutes(1));
    expect(await sign({ email: "p11@example.com" })).toEqual({ ok: true, outcome: "stored" });
    expect((await rows()).at(-1)).toMatchObject({ email: "p11@example.com", state: "accepted" });
  });

  it("limits different forms for one address, whichever network they come from", async () => {
    const { sign } = setUp();
    const outcomes = [];
    for (let count = 1; count <= 11; count += 1) {
      outcomes.push(await sign({ name: `Ada ${count}` }, { address: `198.51.100.${count}` }));
    }
    expect(outcomes.map((one) => one.ok)).toEqual([...Array<boolean>(10).fill(true), false]);
  });

  it("lists newest first, page by page", async () => {
    const { sign, signups } = setUp();
    for (const name of ["one", "two", "three"]) await sign({ name, email: `${name}@example.com` });
    const newest = await signups.list("early-access", { limit: 2 });
    expect(newest.map((row) => row.name)).toEqual(["three", "two"]);
    const older = await signups.list("early-access", { limit: 2, before: newest[1]!.id });
    expect(older.map((row) => row.name)).toEqual(["one"]);
  });
});

const inquiry = {
  fullName: "Grace Hopper",
  email: "Grace@Example.com",
  inquiryType: "partnership",
  message: "Shall we talk?\nI have a compiler.",
} as const;
const subscriber = { name: "Zoë Ångström", email: "Zoe@Example.com" };

/** The other two forms, by what each has of its own. */
const others = [
  {
    kind: "contact-form",
    send: (signups: Signups, form: SubmissionContext) => signups.recordContactSubmission(inquiry, form),
    key: "grace@example.com",
    content: {
      name: inquiry.fullName,
      email: inquiry.email,
      inquiry_type: inquiry.inquiryType,
      message: inquiry.message,
    },
  },
  {
    kind: "updates-signup",
    send: (signups: Signups, form: SubmissionContext) => signups.recordUpdatesSignup(subscriber, form),
    key: "zoe@example.com",
    content: { ...subscriber, inquiry_type: "", message: "" },
  },
] as const;

describe.each(dialects)("contact inquiries and updates signups on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  function setUp() {
    const { clock, signups, stamp } = createTestSignups(database);
    return { clock, signups, form: createSubmissionContext(stamp) };
  }
  const rows = () => database.read.selectFrom("submissions").selectAll().execute();

  it.each(others)("keeps a $kind with its consent and counts it", async ({ kind, send, key, content }) => {
    const { signups, form, clock } = setUp();
    expect(await send(signups, form)).toEqual({ ok: true, outcome: "stored" });
    const [row] = await rows();
    expect(row).toEqual({
      id: expect.any(String),
      kind,
      state: "accepted",
      quarantine_reason: "",
      email_key: key,

      company: "",
      role: "",
      created_at: clock(),
      admitted_at: null,
      audience_position: 1,
      deletion_id: null,
      ...content,
    });
    expect(await database.read.selectFrom("consents").selectAll().execute()).toEqual([
      {
        submission_id: row?.id,
        email_key: key,
        form: kind,
        given_at: clock(),
        wording: "You may write to me.",
        wording_version: "2026-11",
        network: "203.0.113.0",
      },
    ]);
    const none = { "early-access": 0, "contact-form": 0, "updates-signup": 0 };
    expect(await signups.counts()).toEqual({ ...none, [kind]: 1 });
  });

  it.each(others)("lands the same $kind once within a day (C26)", async ({ kind, send }) => {
    const { signups, form, clock } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(signups, form)));
    expect(outcomes.filter((one) => one.ok && one.outcome === "stored")).toHaveLength(1);
    expect(outcomes.filter((one) => one.ok && one.outcome === "repeated")).toHaveLength(19);
    clock.forward(hours(23));
    expect(await send(signups, form)).toEqual({ ok: true, outcome: "repeated" });
    expect(await rows()).toHaveLength(1);
    expect((await signups.counts())[kind]).toBe(1);
  });

  it.each(others)("answers a program's $kind as ever, and keeps it apart (C27)", async ({ kind, send }) => {
    const { signups, form } = setUp();
    const bot = { ...form, honeypot: "https://spam.example" };
    expect(await send(signups, bot)).toEqual({ ok: true, outcome: "quarantined" });
    expect(await send(signups, bot)).toEqual({ ok: true, outcome: "repeated" });
    expect(await rows()).toMatchObject([{ kind, state: "quarantined", quarantine_reason: "honeypot" }]);
    expect((await signups.counts())[kind]).toBe(0);
    expect(await send(signups, form)).toEqual({ ok: true, outcome: "stored" });
  });

  it.each(others)("refuses a $kind of an old form, and too many from one network", async ({ send }) => {
    const { signups, form, clock } = setUp();
    for (let count = 1; count <= 10; count += 1) {
      const email = `p${count}@example.com`;
      expect((await signups.recordUpdatesSignup({ ...subscriber, email }, form)).ok).toBe(true);
    }
    expect(await send(signups, form)).toEqual({ ok: false, error: "limited", retryAfterSeconds: 60 });
    clock.forward(hours(24));
    expect(await send(signups, form)).toEqual({ ok: false, error: "expired" });
    expect(await rows()).toHaveLength(10);
  });
});
