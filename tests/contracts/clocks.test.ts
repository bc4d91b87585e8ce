import { describe, expect, it } from "vitest";
import { getSharedTime } from "~/db/shared-time.server";
import { days, hours, minutes } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import { newId, type Clock } from "~/services/service-deps";
import { createSessions } from "~/services/sessions/sessions.server";
import { findPerson, insertSession } from "../factories/accounts";
import { createTestConfirmations } from "../factories/confirmations";
import { createMortalDatabase } from "../factories/mortal-database";
import {
  createLateOutcome,
  createTestOutreach,
  people,
  setImmediateTimer,
  signUp,
} from "../factories/outreach";
import { createTestClock } from "../factories/time";
import { createTestTokens } from "../factories/tokens";
import { accepted, neverSettles, unreachable } from "../fakes/scripted-mailer";
import { until } from "../faults/until";
import { describeOnDatabases, useDatabase } from "./use-database";

const JUMPS = [
  ["an hour ahead", hours(1)],
  ["an hour back", -hours(1)],
  ["a day ahead", days(1)],
  ["a day back", -days(1)],
] as const;

describeOnDatabases("a clock that jumps, on %s", ({ database, dialect }) => {
  // R18
  it.each(JUMPS)("%s lets no session outlive its end by more than an hour", async (_, jump) => {
    for (const jumpsAfter of [0, minutes(20), hours(6), hours(11.8)]) {
      const clock = createTestClock();
      const sessionId = await signIn(clock);
      const sessions = createSessions({ database, clock, newId });
      let lived = 0;
      for (let hasJumped = false; (await findPerson(sessions, sessionId)) !== undefined;) {
        if (lived >= jumpsAfter && !hasJumped) {
          clock.forward(jump);
          hasJumped = true;
        }
        lived += minutes(10);
        clock.forward(minutes(10));
        expect(lived).toBeLessThanOrEqual(hours(13) + minutes(10));
      }
    }
  });

  // R18
  it.each(JUMPS)("%s on one instance claims nothing of another: each is sent once", async (_, jump) => {
    await signUp(database, people(3));
    const { outcome, release } = createLateOutcome();
    const { clock, mailer, campaignWorker, confirmed, getStats } = createTestOutreach(
      database,
      () => outcome,
    );
    const campaignId = await confirmed();
    const leaseTime = getSharedTime(dialect);
    const sending = campaignWorker({ leaseTime }).tick();
    await until("three emails in flight", () => mailer.received.length === 3);
    const other = campaignWorker({ instance: "two", leaseTime, clock: () => clock() + jump });
    await other.tick();
    expect(await getStats(campaignId)).toMatchObject({ inFlight: 3 });
    release(accepted);
    await sending;
    await other.tick();
    expect(mailer.received).toHaveLength(3);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 3 });
  });

  // R18
  it.each(JUMPS)("%s makes no email wait longer for a mail server that was unreachable", async (_, jump) => {
    const confirmations = createTestConfirmations(database, () => unreachable);
    await confirmations.signUpAndSend();
    await signUp(database, people(1));
    const { clock, mailer, campaignWorker, confirmed, getStats } = createTestOutreach(
      database,
      () => unreachable,
    );
    const campaignId = await confirmed();
    const worker = campaignWorker();
    await worker.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", pending: 1 });
    for (const one of [confirmations, { clock, mailer }]) {
      one.clock.forward(jump + minutes(5));
      one.mailer.script = () => accepted;
    }
    await confirmations.send();
    expect(await confirmations.getRequest()).toMatchObject({ state: "sent" });
    await worker.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1 });
  });

  // R18
  it.each(JUMPS)("%s prolongs no rate limit, and set back ends none", async (_, jump) => {
    const clock = createTestClock();
    const limit = { key: { allowed: 2, windowMs: minutes(15) } };
    const attempt = async (count: number) => {
      const allowed = [];
      for (let attempts = 0; attempts < count; attempts += 1) {
        allowed.push((await database.write((trx) => consume(trx, limit, clock()))).ok);
      }
      return allowed;
    };
    expect(await attempt(3)).toEqual([true, true, false]);
    clock.forward(jump);
    // A clock set ahead looks like time that passed: the window is over, and the next one counts.
    expect(await attempt(3)).toEqual(jump > 0 ? [true, true, false] : [false, false, false]);
    clock.forward(minutes(15) - 1);
    expect(await attempt(1)).toEqual([false]);
    clock.forward(1);
    expect(await attempt(3)).toEqual([true, true, false]);
  });

  async function signIn(clock: Clock): Promise<string> {
    const { accountId } = await createTestTokens(database).person(newId());
    return insertSession(database, { accountId, clock, userAgent: "test", network: "203.0.113.0" });
  }
});

describe("a lease on SQLite", () => {
  const { database } = useDatabase("sqlite");

  // R18, R22
  it("from before a restart of the machine has expired, whatever its time", async () => {
    await signUp(database, people(1));
    const { mailer, campaignWorker, confirmed, getStats } = createTestOutreach(database, () => neverSettles);
    const campaignId = await confirmed();
    const leaseTime = getSharedTime("sqlite");
    const { victim, kill } = createMortalDatabase(database);
    const crashing = campaignWorker({ leaseTime, database: victim, setTimer: setImmediateTimer }).tick();
    await until("an email in flight", () => mailer.received.length === 1);
    kill();
    await expect(crashing).rejects.toThrow("killed");
    await database.write((trx) =>
      trx.updateTable("deliveries").set({ lease_until: Number.MAX_SAFE_INTEGER }).execute(),
    );
    mailer.script = () => accepted;
    await campaignWorker({ instance: "two", leaseTime }).tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1 });
  });
});
