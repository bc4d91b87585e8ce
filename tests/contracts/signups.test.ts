import { describe, expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import type { FormContext } from "~/services/signups/signups.server";
import { ada, createFormContext, createTestSignups } from "../factories/forms";
import { describeOnDatabases } from "./use-database";
import type { FormColumns } from "~/lib/form-fields";
import { EMPTY_FIELDS } from "~/lib/typed-columns";

const STORED = { ok: true, outcome: "stored" };
const REPEATED = { ok: true, outcome: "repeated" };
const QUARANTINED = { ok: true, outcome: "quarantined" };

const subscriber = { name: "Zoë Ångström", email: "Zoe@Example.com" };

/** The three forms, each with the columns it fills in. */
const FORMS = [
  { kind: "early-access", key: "ada@example.com", columns: ada },
  {
    kind: "contact-form",
    key: "grace@example.com",
    columns: {
      name: "Grace Hopper",
      email: "Grace@Example.com",
      inquiry_type: "partnership",
      message: "Shall we talk?\nI have a compiler.",
    },
  },
  { kind: "updates-signup", key: "zoe@example.com", columns: subscriber },
] as const;

describeOnDatabases("signups on %s", ({ database }) => {
  function setUp() {
    const { stamp, ...deps } = createTestSignups(database);
    const form = createFormContext(stamp);
    const signUp = (
      signup: Partial<FormColumns["early-access"]> = {},
      differing: Partial<FormContext> = {},
    ) => deps.signups.record("early-access", { ...ada, ...signup }, { ...form, ...differing });
    return { ...deps, form, signUp };
  }
  const listRows = () => database.read.selectFrom("submissions").selectAll().orderBy("id").execute();

  it.each(FORMS)("stores a form of $kind with its consent and counts it", async ({ kind, key, columns }) => {
    const { signups, form, clock } = setUp();
    expect(await signups.record(kind, columns, form)).toEqual(STORED);
    const derived = { kind, state: "accepted", email_key: key, created_at: clock() };
    const rows = await listRows();
    expect(rows).toMatchObject([{ ...EMPTY_FIELDS, ...columns, ...derived }]);
    const words = { wording: "You may write to me.", wording_version: "2026-11", network: "203.0.113.0" };
    expect(await database.read.selectFrom("consents").selectAll().execute()).toEqual([
      { ...words, submission_id: rows[0]?.id, email_key: key, form: kind, given_at: clock() },
    ]);
    const none = { "early-access": 0, "contact-form": 0, "updates-signup": 0 };
    expect(await signups.counts()).toEqual({ ...none, [kind]: 1 });
  });

  // C26
  it.each(FORMS)("stores the same form of $kind once within a day", async ({ kind, columns }) => {
    const { signups, form, clock } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => signups.record(kind, columns, form)));
    expect(outcomes.filter((one) => one.ok && one.outcome === "stored")).toHaveLength(1);
    expect(outcomes.filter((one) => one.ok && one.outcome === "repeated")).toHaveLength(49);
    clock.forward(hours(23));
    expect(await signups.record(kind, columns, form)).toEqual(REPEATED);
    expect(await listRows()).toHaveLength(1);
    expect((await signups.counts())[kind]).toBe(1);
  });

  // C26
  it("stores the same content again after a day, and not a millisecond sooner", async () => {
    const { signups, signUp, clock, stamps } = setUp();
    const repeat = () => signUp({ email: "ada@example.com" }, { stamp: stamps.create(clock() - minutes(1)) });
    await signUp();
    clock.forward(hours(24) - 1);
    expect(await repeat()).toEqual(REPEATED);
    clock.forward(1);
    expect(await repeat()).toEqual(STORED);
    expect((await signups.counts())["early-access"]).toBe(2);
  });

  // C27
  it.each(FORMS)("quarantines a bot's form of $kind, uncounted", async ({ kind, columns }) => {
    const { signups, form } = setUp();
    const bot = { ...form, honeypot: "https://spam.example" };
    expect(await signups.record(kind, columns, bot)).toEqual(QUARANTINED);
    expect(await signups.record(kind, columns, bot)).toEqual(REPEATED);
    expect(await listRows()).toMatchObject([{ kind, state: "quarantined", quarantine_reason: "honeypot" }]);
    expect((await signups.counts())[kind]).toBe(0);
    expect(await signups.list(kind, { limit: 10 })).toEqual([]);
    expect(await signups.record(kind, columns, form)).toEqual(STORED);
  });

  // C27
  it.each(FORMS)("refuses $kind as the eleventh form of a minute", async ({ kind, columns }) => {
    const { signups, signUp, form, clock } = setUp();
    for (let count = 1; count <= 10; count += 1) {
      expect(await signUp({ email: `p${count}@example.com` })).toEqual(STORED);
    }
    expect(await signups.record(kind, columns, form)).toEqual({
      ok: false,
      error: "limited",
      retryAfterSeconds: 60,
    });
    expect(await signUp({ email: "p11@example.com" }, { address: "198.51.100.7" })).toEqual(STORED);
    clock.forward(minutes(1));
    expect(await signups.record(kind, columns, form)).toEqual(STORED);
    expect((await listRows()).filter((row) => row.state !== "accepted")).toEqual([]);
  });

  it("limits different forms for one address, whichever network they come from", async () => {
    const { signUp } = setUp();
    const outcomes = [];
    for (let count = 1; count <= 11; count += 1) {
      outcomes.push(await signUp({ name: `Ada ${count}` }, { address: `198.51.100.${count}` }));
    }
    expect(outcomes.map((one) => one.ok)).toEqual([...Array<boolean>(10).fill(true), false]);
  });

  it("lists newest first, page by page", async () => {
    const { signUp, signups } = setUp();
    for (const name of ["one", "two", "three"]) await signUp({ name, email: `${name}@example.com` });
    const newest = await signups.list("early-access", { limit: 2 });
    expect(newest.map((row) => row.name)).toEqual(["three", "two"]);
    const older = await signups.list("early-access", { limit: 2, before: newest[1]!.id });
    expect(older.map((row) => row.name)).toEqual(["one"]);
  });

  describe("passed on by programs", () => {
    const program = {
      isByProgram: true,
      address: "203.0.113.77",
      consent: { wording: "I agree.", version: "7" },
    } as const;

    it("are stored without a stamp, with the program's wording of the consent", async () => {
      const { signups } = setUp();
      expect(await signups.record("updates-signup", subscriber, program)).toEqual(STORED);
      expect(await listRows()).toMatchObject([{ kind: "updates-signup", state: "accepted" }]);
      expect(await database.read.selectFrom("consents").selectAll().execute()).toMatchObject([
        { wording: "I agree.", wording_version: "7", network: "203.0.113.0" },
      ]);
    });

    // C26
    it("are the same as those from the form, and the other way around", async () => {
      const { signups, form } = setUp();
      const grace = { ...ada, email: "grace@example.com" };
      await signups.record("early-access", ada, form);
      expect(await signups.record("early-access", ada, program)).toEqual(REPEATED);
      await signups.record("early-access", grace, program);
      expect(await signups.record("early-access", grace, form)).toEqual(REPEATED);
      expect(await listRows()).toHaveLength(2);
    });

    it("are limited to 120 a minute from a network and 10 an hour for an address", async () => {
      const { signups, form, clock } = setUp();
      const pass = (name: string, email: string) =>
        signups.record("updates-signup", { name, email }, program);
      for (let index = 0; index < 120; index += 1) {
        expect(await pass("Ada", `user${index}@example.com`)).toEqual(STORED);
      }
      const limited = { ok: false, error: "limited", retryAfterSeconds: 60 };
      expect(await pass("Ada", "late@example.com")).toEqual(limited);
      const visitor = { ...form, address: program.address };
      expect(await signups.record("updates-signup", subscriber, visitor)).toEqual(STORED);
      clock.forward(minutes(1));
      for (let index = 0; index < 10; index += 1) {
        expect(await pass(`Name ${index}`, "many@example.com")).toEqual(STORED);
      }
      expect(await pass("Name 11", "many@example.com")).toMatchObject({ ok: false, error: "limited" });
    });
  });
});
