import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import { createAccounts } from "~/services/accounts/accounts.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { newId } from "~/services/ids.server";
import { createSessions } from "~/services/sessions/sessions.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createSignups } from "~/services/signups/signups.server";
import { dialects } from "../databases";
import { createAccountDeps } from "../factories/accounts";
import { createSubmissionContext } from "../factories/forms";
import { people } from "../factories/outreach";
import { createTestClock } from "../factories/time";
import { useDatabase } from "./use-database";

const EMAIL = "superadmin@example.com";
const PASSWORD = "correct horse";
const origin = { address: "203.0.113.9", network: "203.0.113.0", requestId: "r1", userAgent: "test" };
const told = { network: "203.0.113.0", request_id: "r1" };

/** Denied pages are in access.test.ts, sends in outreach-control.test.ts, sessions in own-sessions.test.ts. */
describe.each(dialects)("security events are in the audit on %s (C36)", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  async function setUp() {
    const deps = createAccountDeps(database);
    const { clock } = deps;
    await ensureSuperadmin(deps, { email: EMAIL, password: PASSWORD });
    await database.write((trx) => trx.deleteFrom("audit").execute());
    const accounts = createAccounts(deps);
    const sessions = createSessions(deps);
    const logIn = (password: string) => accounts.logIn({ email: EMAIL, password }, origin);
    const session = async () => {
      const outcome = await logIn(PASSWORD);
      if (!outcome.ok) throw new Error(outcome.error);
      return outcome.sessionId;
    };
    return { clock, accounts, sessions, logIn, session };
  }
  const audit = () =>
    database.read
      .selectFrom("audit")
      .select(["actor", "action", "subject", "outcome", "network", "request_id"])
      .orderBy("id")
      .execute();

  it("a logout is one entry, and one of a session that is over is none", async () => {
    const { sessions, session } = await setUp();
    const id = await session();
    await sessions.end(id, origin);
    await sessions.end(id, origin);
    await sessions.end("nobody's", origin);
    expect(await audit()).toEqual([
      { ...told, actor: EMAIL, action: "login", subject: EMAIL, outcome: "ok" },
      { ...told, actor: EMAIL, action: "logout", subject: EMAIL, outcome: "ok" },
    ]);
  });

  it("of a flood of passwords the five that are tried and the first that is not are written down", async () => {
    const { clock, logIn } = await setUp();
    for (let tries = 0; tries < 20; tries += 1) await logIn("wrong");
    const refused = { ...told, actor: "visitor", subject: EMAIL, outcome: "refused" };
    const once = [
      ...Array.from({ length: 5 }, () => ({ ...refused, action: "login" })),
      { ...refused, action: "throttle-password" },
    ];
    expect(await audit()).toEqual(once);
    clock.forward(minutes(15));
    for (let tries = 0; tries < 20; tries += 1) await logIn("wrong");
    expect(await audit()).toEqual([...once, ...once]);
  });

  it("a password change is written down with its outcome, and when it is rate-limited", async () => {
    const { accounts, sessions, session } = await setUp();
    const who = await sessions.find(await session());
    if (!who) throw new Error("No session");
    const change = (current: string) => accounts.changePassword(who, { current, next: "a new one" }, origin);
    await change("wrong");
    await change(PASSWORD);
    for (let tries = 0; tries < 8; tries += 1) await change("wrong");
    const entry = { ...told, actor: EMAIL, subject: EMAIL };
    const wrong = { ...entry, action: "change-password", outcome: "refused" };
    expect((await audit()).slice(1)).toEqual([
      wrong,
      { ...entry, action: "change-password", outcome: "ok" },
      ...Array.from({ length: 5 }, () => wrong),
      { ...entry, action: "throttle-password", outcome: "refused" },
    ]);
  });

  it("a flood of forms is one entry per network and minute", async () => {
    const clock = createTestClock();
    const stamps = createFormStamps("a secret of the tests");
    const signups = createSignups({ database, stamps, clock, newId });
    const form = createSubmissionContext(stamps.make(clock()));
    clock.forward(seconds(5));
    const flood = async () => {
      for (const email of people(20)) {
        await signups.recordUpdatesSignup({ name: `Ada at ${clock()}`, email }, form);
      }
    };
    await flood();
    const entry = { actor: "visitor", action: "throttle-form", subject: "updates-signup" };
    const once = { ...entry, outcome: "refused", network: "203.0.113.0", request_id: "" };
    expect(await audit()).toEqual([once]);
    clock.forward(minutes(1));
    await flood();
    expect(await audit()).toEqual([once, once]);
  });
});
