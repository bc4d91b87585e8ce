import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import type { MailOutcome } from "~/services/mail/mailer";
import { dialects } from "../databases";
import { createManualSleep, createTestOutreach, people, signUp, waitUntil } from "../factories/outreach";
import { accepted, deferred, scriptByAddress, unauthorized, unreachable } from "../fakes/scripted-mailer";
import type { ScriptedOutcome } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe.each(dialects)("sending on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("pauses the send with the server's words when our login is not accepted, the row unchanged, until it goes on", async () => {
    await signUp(database, people(20));
    const { confirmed, dispatcher, mailer, outreach, rows, getStats } = createTestOutreach(
      database,
      () => unauthorized,
    );
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 2 });
    await sending.tick();
    const paused = { state: "paused", trouble: "535 bad credentials", pending: 20, inFlight: 0, retrying: 0 };
    expect(await getStats(campaignId)).toMatchObject(paused);
    expect(mailer.received).toHaveLength(2);
    expect((await rows(campaignId)).every((row) => row.attempts === 0 && row.detail === "")).toBe(true);
    await sending.tick();
    expect(mailer.received).toHaveLength(2);
    mailer.script = () => accepted;
    expect(await outreach.resume(campaignId, { by: "a", network: "", requestId: "" })).toEqual({ ok: true });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", trouble: "", sent: 20 });
  });

  it.each<[string, ScriptedOutcome, { state: string; waits: string }]>([
    ["pauses when our login is not accepted", unauthorized, { state: "paused", waits: "login" }],
    ["waits for a server that cannot be reached", unreachable, { state: "sending", waits: "server" }],
  ])("%s while its audience is being copied, and loses nobody", async (_, trouble, { state, waits }) => {
    await signUp(database, people(1200));
    const { clock, confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(
      database,
      () => trouble,
    );
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 2 });
    await sending.tick();
    expect(mailer.received).toHaveLength(2);
    const campaign = await outreach.findCampaign(campaignId);
    expect(campaign && (await outreach.getHoldReason(campaign))).toMatchObject({ for: waits });
    expect(await getStats(campaignId)).toMatchObject({ state, sent: 0, failed: 0, inFlight: 0 });
    mailer.script = () => accepted;
    clock.forward(seconds(5));
    if (state === "paused") await outreach.resume(campaignId, { by: "a", network: "", requestId: "" });
    await dispatcher({ concurrency: 200 }).tick();
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      trouble: "",
      selected: 1200,
      sent: 1200,
    });
  });

  it("waits 5 s, doubling to 5 min, while the server cannot be reached, uses up no tries and is never finished early (R8)", async () => {
    await signUp(database, people(3));
    const { clock, confirmed, dispatcher, mailer, rows, getStats } = createTestOutreach(
      database,
      () => unreachable,
    );
    const campaignId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    let tries = 3;
    for (const wait of [5, 10, 20, 40, 80, 160, 300, 300].map(seconds)) {
      expect(mailer.received).toHaveLength(tries);
      expect(await getStats(campaignId)).toMatchObject({
        state: "sending",
        trouble: "connection refused",
        pending: 3,
        inFlight: 0,
      });
      expect((await rows(campaignId)).map((row) => row.attempts)).toEqual([0, 0, 0]);
      clock.forward(wait - 1);
      await sending.tick();
      expect(mailer.received).toHaveLength(tries);
      clock.forward(1);
      await sending.tick();
      tries += 3;
    }
    mailer.script = () => accepted;
    clock.forward(minutes(5));
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", trouble: "", sent: 3 });
    expect((await rows(campaignId)).map((row) => row.attempts)).toEqual([1, 1, 1]);
  });

  it("begins a later outage with the short wait again", async () => {
    await signUp(database, people(3));
    const answers = [unreachable, unreachable, accepted, unreachable];
    const { clock, confirmed, dispatcher, outreach, getStats } = createTestOutreach(
      database,
      () => answers.shift() ?? accepted,
    );
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 1 });
    const waits: number[] = [];
    while ((await outreach.findCampaign(campaignId))?.state !== "finished") {
      await sending.tick();
      const { resume_at = 0 } = (await outreach.findCampaign(campaignId)) ?? {};
      if (resume_at > clock()) waits.push(resume_at - clock());
      clock.forward(Math.max(0, resume_at - clock()));
    }
    expect(waits).toEqual([seconds(5), seconds(10), seconds(5)]);
    expect(await getStats(campaignId)).toMatchObject({ sent: 3, trouble: "" });
  });

  it("does not end the wait when a mail that was under way before it is accepted", async () => {
    await signUp(database, people(3));
    let release: (outcome: MailOutcome) => void = () => undefined;
    const slow = new Promise<MailOutcome>((resolve) => (release = resolve));
    const { clock, confirmed, dispatcher, mailer, outreach, states } = createTestOutreach(
      database,
      scriptByAddress({ "person1@example.com": slow, "person2@example.com": unreachable }),
    );
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 2 });
    const ticking = sending.tick();
    await waitUntil(async () => (await outreach.findCampaign(campaignId))?.trouble !== "");
    release(accepted);
    await ticking;
    expect(await states(campaignId)).toMatchObject({
      "person1@example.com": "sent",
      "person2@example.com": "pending",
    });
    expect(await outreach.findCampaign(campaignId)).toMatchObject({
      state: "sending",
      trouble: "connection refused",
      resume_at: clock() + seconds(5),
    });
    expect(mailer.received).toHaveLength(2);
  });

  it("forgets the trouble with the first answer after it", async () => {
    await signUp(database, people(2));
    const answers = [unreachable, accepted, deferred];
    const { clock, confirmed, dispatcher, outreach, getStats } = createTestOutreach(
      database,
      () => answers.shift() ?? accepted,
    );
    const campaignId = await confirmed();
    const sending = dispatcher({ concurrency: 1 });
    await sending.tick();
    expect(await outreach.findCampaign(campaignId)).toMatchObject({ trouble: "connection refused" });
    clock.forward(seconds(5));
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", trouble: "", sent: 1, retrying: 1 });
  });

  it("goes on at once when an operator says so during a wait", async () => {
    await signUp(database, people(2));
    const { confirmed, dispatcher, mailer, outreach, getStats } = createTestOutreach(
      database,
      () => unreachable,
    );
    const campaignId = await confirmed();
    const sending = dispatcher();
    await sending.tick();
    mailer.script = () => accepted;
    expect(await outreach.resume(campaignId, { by: "a", network: "", requestId: "" })).toEqual({ ok: true });
    await sending.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", trouble: "", sent: 2 });
  });

  it("says once that the database is away, waits longer each time, and goes on when it is back (R28)", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, outreach, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    let away = true;
    const flaky: Database = {
      ...database,
      get read() {
        if (away) throw new Error("the database is away");
        return database.read;
      },
      write: async (work) => {
        if (away) throw new Error("the database is away");
        return database.write(work);
      },
    };
    const said: string[] = [];
    const log = {
      error: (_: object, message: string) => said.push(`error: ${message}`),
      info: (_: object, message: string) => said.push(`info: ${message}`),
    };
    const alarms = createManualSleep();
    const sending = dispatcher({ database: flaky, setTimer: alarms.setTimer, log });
    sending.start();
    for (let time = 0; time < 7; time += 1) await alarms.fire();
    expect(alarms.asked.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map(seconds));
    expect(said).toEqual(["error: outreach failed, retrying"]);
    away = false;
    await alarms.fire();
    await waitUntil(async () => (await outreach.findCampaign(campaignId))?.state === "finished");
    await sending.stop();
    expect(said).toEqual(["error: outreach failed, retrying", "info: outreach goes on"]);
    expect(await getStats(campaignId)).toMatchObject({ sent: 3 });
  });

  it("loses no ending while the database is away after the mails went out", async () => {
    await signUp(database, people(3));
    const { confirmed, dispatcher, mailer, rows, getStats } = createTestOutreach(database);
    const campaignId = await confirmed();
    let away = false;
    const flaky: Database = {
      ...database,
      write: async (work) => {
        if (away) throw new Error("the database is away");
        return database.write(work);
      },
    };
    mailer.script = () => {
      away = true;
      return accepted;
    };
    const sending = dispatcher({ database: flaky });
    await expect(sending.tick()).rejects.toThrow("the database is away");
    expect((await rows(campaignId)).map((row) => row.state)).toEqual(["claimed", "claimed", "claimed"]);
    mailer.script = () => accepted;
    away = false;
    await sending.tick();
    expect(mailer.received).toHaveLength(3);
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 3 });
  });
});
