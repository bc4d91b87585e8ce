import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { dialects } from "../databases";
import { ada, createSubmissionContext, createTestSignups } from "../factories/forms";
import { useDatabase } from "./use-database";

describe.each(dialects)("signups that programs pass on, on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  const program = {
    isByProgram: true,
    address: "203.0.113.77",
    consent: { wording: "I agree.", version: "7" },
  } as const;
  const states = () =>
    database.read.selectFrom("submissions").select(["kind", "state"]).orderBy("id").execute();

  it("are stored at once, with no form that could be too young or too old", async () => {
    const { signups } = createTestSignups(database);
    expect(await signups.recordUpdatesSignup({ name: "Ada", email: "ada@example.com" }, program)).toEqual({
      ok: true,
      outcome: "stored",
    });
    expect(await states()).toEqual([{ kind: "updates-signup", state: "accepted" }]);
    expect(await database.read.selectFrom("consents").selectAll().execute()).toMatchObject([
      { wording: "I agree.", wording_version: "7", network: "203.0.113.0" },
    ]);
  });

  it("are the same as what the form brought, and the other way around (C26)", async () => {
    const { signups, stamp } = createTestSignups(database);
    const repeated = { ok: true, outcome: "repeated" };
    await signups.recordEarlyAccessSignup(ada, createSubmissionContext(stamp));
    expect(await signups.recordEarlyAccessSignup(ada, program)).toEqual(repeated);
    const grace = { ...ada, email: "grace@example.com" };
    await signups.recordEarlyAccessSignup(grace, program);
    expect(await signups.recordEarlyAccessSignup(grace, createSubmissionContext(stamp))).toEqual(repeated);
    expect(await states()).toHaveLength(2);
  });

  it("are 120 a minute from one network and ten an hour for one address; visitors there are counted apart", async () => {
    const { signups, stamp, clock } = createTestSignups(database);
    const pass = (name: string, email: string) => signups.recordUpdatesSignup({ name, email }, program);
    for (let index = 0; index < 120; index += 1) {
      expect(await pass("Ada", `user${index}@example.com`)).toMatchObject({ ok: true });
    }
    expect(await pass("Ada", "late@example.com")).toEqual({
      ok: false,
      error: "limited",
      retryAfterSeconds: 60,
    });
    const visitor = createSubmissionContext(stamp, { address: program.address });
    expect(
      await signups.recordUpdatesSignup({ name: "Eve", email: "eve@example.com" }, visitor),
    ).toMatchObject({
      ok: true,
    });
    clock.forward(minutes(1));
    for (let index = 0; index < 10; index += 1) {
      expect(await pass(`Name ${index}`, "many@example.com")).toMatchObject({ ok: true });
    }
    expect(await pass("Name 11", "many@example.com")).toMatchObject({ ok: false, error: "limited" });
  });
});
