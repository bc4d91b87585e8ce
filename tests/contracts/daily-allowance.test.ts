import { expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "~/db/database.server";
import { days, hours, minutes } from "~/lib/durations";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import type { EmailKind } from "~/services/mail/transactional/email-kind";
import type { TransactionalSending } from "~/services/mail/transactional/transactional-jobs.server";
import { createEmail } from "../factories/email";
import { createTestOutreach, people, signUp, suppress } from "../factories/outreach";
import { createTestEmails, listEmails } from "../factories/transactional-emails";
import { accepted, ScriptedMailer, unreachable, type Script } from "../fakes/scripted-mailer";
import { describeOnDatabases } from "./use-database";

const MIDNIGHT = Date.UTC(2026, 10, 22);
const acceptLater: Script = () => new Promise((resolve) => setImmediate(() => resolve(accepted)));

const data = z.object({});
type Data = z.infer<typeof data>;

describeOnDatabases("the daily allowance on %s", ({ database, place }) => {
  function setUp(perDay: number) {
    const { clock, outreach, campaignWorker, confirmed, getStats, getToday, ...campaigns } =
      createTestOutreach(database, undefined, { perDay });
    const ended: string[] = [];
    const kind = (name: "confirmation" | "test", allowanceClass: EmailKind<Data>["allowanceClass"]) =>
      ({
        name,
        plural: "emails",
        allowanceClass,
        data,
        getKey: () => undefined,
        retentionMs: days(30),
        queued: {
          listSkipped: async () => new Map(),
          compose: ({ message_id: messageId, address }) =>
            createEmail({ messageId, to: { name: "", address } }),
        },
        recordEnd: async (_trx, { address }, { state, detail }) => {
          if (state === "skipped") ended.push(`${address} ${detail}`);
        },
      }) satisfies EmailKind<Data>;
    const always = kind("confirmation", "always");
    const automatic = kind("test", "automatic");
    const mailer = new ScriptedMailer();
    const create = (differing: Partial<TransactionalSending> = {}) =>
      createTestEmails(database, clock, {
        mailer,
        allowance: campaigns.allowance,
        kinds: [always, automatic],
        ...differing,
      });
    const emails = create();
    const addOf =
      (kind: EmailKind<Data>, prefix: string) =>
      async (count: number, notBefore?: number): Promise<void> => {
        await database.write(async (trx) => {
          for (let index = 1; index <= count; index += 1) {
            const address = `${prefix}${index}@example.com`;
            await emails.add(trx, kind, { address, data: {}, ...(notBefore && { notBefore }) });
          }
        });
      };
    return {
      clock,
      outreach,
      campaignWorker,
      confirmed,
      getStats,
      getToday,
      mailer,
      ended,
      create,
      addAlways: addOf(always, "always"),
      addAutomatic: addOf(automatic, "automatic"),
      tick: () => emails.worker.tick(),
      /** Counts the emails of each class that were sent, and the automatic ones that wait. */
      async count() {
        const rows = await listEmails(database);
        const has = (name: string, state: string) =>
          rows.filter((row) => row.kind === name && row.state === state).length;
        return [has("confirmation", "sent"), has("test", "sent"), has("test", "pending")];
      },
    };
  }

  // R8
  it("is for whom somebody waits first, for campaigns last", async () => {
    await signUp(database, people(1000));
    const world = setUp(500);
    const { clock, confirmed, campaignWorker, outreach, getStats, getToday, count, tick } = world;
    const campaignId = await confirmed();
    const sender = campaignWorker({ concurrency: 100 });
    await world.addAutomatic(300);
    await world.addAlways(20);
    // The campaign comes first, and leaves what the automatic emails need, and a tenth.
    await sender.tick();
    expect(await getStats(campaignId)).toMatchObject({ sent: 150, pending: 850 });
    expect(await getToday()).toMatchObject({ used: 150, keptFree: 50, remainingForCampaigns: 0 });
    await tick();
    await sender.tick();
    expect(await count()).toEqual([20, 300, 0]);
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", sent: 150 });
    const campaign = await outreach.findCampaign(campaignId);
    expect(await outreach.getHoldReason(campaign!)).toEqual({
      for: "allowance",
      limit: 500,
      keptFree: 50,
      until: MIDNIGHT,
    });

    for (let hour = 1; hour <= 5; hour += 1) {
      clock.forward(hours(1));
      await world.addAlways(10);
      await tick();
    }
    expect(await count()).toEqual([70, 300, 0]);
    expect(await getToday()).toMatchObject({ used: 520, remaining: 0 });
    await world.addAutomatic(40);
    clock.forward(MIDNIGHT - 1 - clock());
    await tick();
    await world.addAlways(1);
    await tick();
    expect(await count()).toEqual([71, 300, 40]);

    clock.forward(1);
    await sender.tick();
    expect(await getStats(campaignId)).toMatchObject({ sent: 560 });
    await tick();
    await sender.tick();
    expect(await count()).toEqual([71, 340, 0]);
    expect(await getToday()).toMatchObject({ used: 450, remaining: 50, remainingForCampaigns: 0 });
    clock.forward(days(1));
    await sender.tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1000 });
  });

  it("keeps its tenth for automatic emails that come after the campaign", async () => {
    await signUp(database, people(20));
    const { confirmed, campaignWorker, getStats, addAutomatic, tick, count, getToday } = setUp(10);
    const campaignId = await confirmed();
    await campaignWorker().tick();
    expect(await getStats(campaignId)).toMatchObject({ sent: 9 });
    await addAutomatic(2);
    await tick();
    expect(await count()).toEqual([0, 1, 1]);
    expect(await getToday()).toMatchObject({ used: 10, remaining: 0 });
  });

  it("finishes a campaign whose last email uses it up", async () => {
    await signUp(database, people(9));
    const { confirmed, campaignWorker, getStats, getToday } = setUp(10);
    const campaignId = await confirmed();
    await campaignWorker().tick();
    expect(await getToday()).toMatchObject({ used: 9, remainingForCampaigns: 0 });
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 9 });
  });

  it("leaves automatic emails of another day out of today's", async () => {
    await signUp(database, people(20));
    const { confirmed, campaignWorker, getStats, addAutomatic } = setUp(10);
    await addAutomatic(5, MIDNIGHT);
    const campaignId = await confirmed();
    await campaignWorker().tick();
    expect(await getStats(campaignId)).toMatchObject({ sent: 9 });
  });

  it("lets automatic emails wait for three days, and then skips them", async () => {
    const { clock, addAlways, addAutomatic, tick, count, ended, mailer, getToday } = setUp(5);
    await addAlways(5);
    await addAutomatic(2);
    // Asked for now, for tomorrow: its three days begin then.
    await addAutomatic(1, clock() + days(1));
    await tick();
    for (let day = 1; day <= 3; day += 1) {
      clock.forward(MIDNIGHT + days(day - 1) - clock());
      await addAlways(6);
      await tick();
      expect(await count()).toEqual([5 + 6 * day, 0, 3]);
    }
    clock.forward(hours(8) - 1);
    await tick();
    expect(ended).toEqual([]);
    clock.forward(1);
    await tick();
    expect(ended).toEqual(["automatic1@example.com too-late", "automatic2@example.com too-late"]);
    expect(await count()).toEqual([23, 0, 1]);
    expect(mailer.received).toHaveLength(23);
    expect(await getToday()).toMatchObject({ used: 6 });
    clock.forward(days(1) - hours(8));
    await tick();
    expect(await count()).toEqual([23, 1, 0]);
  });

  it("sends automatic emails in the order they were asked for", async () => {
    const { clock, addAutomatic, tick, mailer } = setUp(2);
    await addAutomatic(5);
    for (let day = 0; day < 3; day += 1) {
      await tick();
      clock.forward(days(1));
    }
    expect(mailer.recipients).toEqual([1, 2, 3, 4, 5].map((each) => `automatic${each}@example.com`));
  });

  // R22
  it("is shared by two instances, also for automatic emails", async () => {
    const { clock, addAutomatic, create, count, getToday } = setUp(31);
    const other = await place.open();
    const workers = [
      create({ mailer: new ScriptedMailer(acceptLater), concurrency: 7 }),
      create({
        mailer: new ScriptedMailer(acceptLater),
        concurrency: 7,
        instance: "two",
        database: other,
        allowance: new DailyAllowance(31),
      }),
    ].map(({ worker }) => worker);
    await addAutomatic(80);
    for (const sent of [31, 62, 80]) {
      await Promise.all(workers.map((worker) => worker.tick()));
      expect(await count()).toEqual([0, sent, 80 - sent]);
      clock.forward(days(1));
    }
    expect(await getToday()).toMatchObject({ used: 0 });
    await other.close();
  });

  it("counts on after a restart, with the limit of that start", async () => {
    const { addAutomatic, addAlways, create, count } = setUp(5);
    const restart = (perDay: number) => create({ allowance: new DailyAllowance(perDay) }).worker.tick();
    await addAutomatic(20);
    await restart(5);
    await restart(5);
    expect(await count()).toEqual([0, 5, 15]);
    await restart(8);
    expect(await count()).toEqual([0, 8, 12]);
    await addAlways(1);
    await restart(2);
    expect(await count()).toEqual([1, 8, 12]);
    await restart(0);
    expect(await count()).toEqual([1, 20, 0]);
  });

  it("is no limit for any class when it is 0", async () => {
    await signUp(database, people(30));
    const { confirmed, campaignWorker, getStats, addAutomatic, addAlways, tick, count, getToday } = setUp(0);
    await addAutomatic(30);
    await addAlways(30);
    const campaignId = await confirmed();
    await campaignWorker().tick();
    await tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 30 });
    expect(await count()).toEqual([30, 30, 0]);
    expect(await getToday()).toBeUndefined();
    expect(await database.read.selectFrom("email_days").selectAll().execute()).toEqual([]);
  });

  it("refunds automatic emails that were not attempted", async () => {
    const { clock, addAutomatic, tick, count, mailer, getToday } = setUp(3);
    mailer.script = () => unreachable;
    await suppress(database, "automatic1@example.com");
    await addAutomatic(5);
    await tick();
    expect(await getToday()).toMatchObject({ used: 0, remaining: 3 });
    mailer.script = () => accepted;
    clock.forward(minutes(5));
    await tick();
    expect(await count()).toEqual([0, 3, 1]);
    expect(await getToday()).toMatchObject({ used: 3, remaining: 0 });
  });

  it("is waited for without writing", async () => {
    await signUp(database, people(2));
    const { addAutomatic, tick, create, confirmed, campaignWorker, getStats } = setUp(1);
    await addAutomatic(3);
    await tick();
    const campaignId = await confirmed();
    await campaignWorker().tick();
    let writes = 0;
    const counted: Database = {
      dialect: database.dialect,
      read: database.read,
      longRead: database.longRead,
      probe: () => database.probe(),
      close: () => database.close(),
      write(work) {
        writes += 1;
        return database.write(work);
      },
    };
    for (const worker of [create({ database: counted }).worker, campaignWorker({ database: counted })]) {
      // The first looks for emails of an earlier process.
      await worker.tick();
      writes = 0;
      await worker.tick();
      expect(writes).toBe(0);
    }
    expect(await getStats(campaignId)).toMatchObject({ state: "sending", pending: 2 });
  });
});
