import { expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { createSuperadmin, origin, readAudit, SUPERADMIN } from "../factories/accounts";
import { createFormContext, createTestSignups } from "../factories/forms";
import { people } from "../factories/outreach";
import { describeOnDatabases } from "./use-database";

const { email: EMAIL, password: PASSWORD } = SUPERADMIN;
const ORIGIN = { network: "203.0.113.0", request_id: "r1" };

/** Denied pages and ended sessions are in access.test.ts, sends in outreach-control.test.ts, sessions in own-sessions.test.ts. */
// C36
describeOnDatabases("security events are in the audit on %s", ({ database }) => {
  async function setUp() {
    const parts = await createSuperadmin(database);
    await database.write((trx) => trx.deleteFrom("audit").execute());
    return parts;
  }

  it("a login and a logout are one entry each", async () => {
    const { sessions, signIn } = await setUp();
    await sessions.recordLogout(await signIn(), origin);
    expect(await readAudit(database)).toEqual([
      { ...ORIGIN, actor: EMAIL, action: "login", subject: EMAIL, outcome: "ok" },
      { ...ORIGIN, actor: EMAIL, action: "logout", subject: EMAIL, outcome: "ok" },
    ]);
  });

  it("a flood of passwords is recorded as six attempts", async () => {
    const { clock, logIn } = await setUp();
    for (let tries = 0; tries < 20; tries += 1) await logIn({ password: "wrong" });
    const refused = { ...ORIGIN, actor: "visitor", subject: EMAIL, outcome: "refused" };
    const once = [
      ...Array.from({ length: 5 }, () => ({ ...refused, action: "login" })),
      { ...refused, action: "throttle-password" },
    ];
    expect(await readAudit(database)).toEqual(once);
    clock.forward(minutes(15));
    for (let tries = 0; tries < 20; tries += 1) await logIn({ password: "wrong" });
    expect(await readAudit(database)).toEqual([...once, ...once]);
  });

  it("a password change is recorded with its outcome, and when it is rate-limited", async () => {
    const { accounts, signIn } = await setUp();
    const who = await signIn();
    const change = (current: string) => accounts.changePassword(who, { current, next: "a new one" }, origin);
    await change("wrong");
    await change(PASSWORD);
    for (let tries = 0; tries < 8; tries += 1) await change("wrong");
    const entry = { ...ORIGIN, actor: EMAIL, subject: EMAIL };
    const wrong = { ...entry, action: "change-password", outcome: "refused" };
    expect((await readAudit(database)).slice(1)).toEqual([
      wrong,
      { ...entry, action: "change-password", outcome: "ok" },
      ...Array.from({ length: 5 }, () => wrong),
      { ...entry, action: "throttle-password", outcome: "refused" },
    ]);
  });

  it("a flood of forms is one entry per network and minute", async () => {
    const { clock, signups, stamp } = createTestSignups(database);
    const form = createFormContext(stamp);
    const flood = async () => {
      for (const email of people(20)) {
        await signups.record("updates-signup", { name: `Ada at ${clock()}`, email }, form);
      }
    };
    await flood();
    const entry = { actor: "visitor", action: "throttle-form", subject: "updates-signup" };
    const once = { ...entry, outcome: "refused", network: "203.0.113.0", request_id: "" };
    expect(await readAudit(database)).toEqual([once]);
    clock.forward(minutes(1));
    await flood();
    expect(await readAudit(database)).toEqual([once, once]);
  });
});
