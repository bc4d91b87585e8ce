import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours } from "~/lib/durations";
import { newId } from "~/services/ids.server";
import { unsubscribe } from "~/services/suppressions/suppressions.server";
import { dialects } from "../databases";
import { operator, createTestOutreach, people, signUp } from "../factories/outreach";
import { accepted, refused } from "../fakes/scripted-mailer";
import { useDatabase } from "./use-database";

describe.each(dialects)("the pace of a send on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  /** A world, one of its sends and why that does not move. */
  const why = async ({ outreach }: ReturnType<typeof createTestOutreach>, campaignId: string) =>
    outreach.getHoldReason((await outreach.findCampaign(campaignId))!);

  describe("a mail server that refuses nearly everybody", () => {
    const blocked = { kind: "refused", code: 550, detail: "550 your network is on a blocklist" } as const;
    const suppressed = async () =>
      (await database.read.selectFrom("suppressions").select("email_key").orderBy("email_key").execute()).map(
        (row) => row.email_key,
      );

    it("pauses the send in its own words, blames nobody whom it did not name, and can be tried again (C20)", async () => {
      await signUp(database, people(60));
      const world = createTestOutreach(database, ({ to }) =>
        to.address === "person3@example.com" ? refused : blocked,
      );
      const campaignId = await world.confirmed();
      const sending = world.dispatcher({ concurrency: 4 });
      await sending.tick();
      const { failed, ...stopped } = await world.getStats(campaignId);
      expect(stopped).toMatchObject({ state: "paused", sent: 0, inFlight: 0 });
      expect(failed).toBeGreaterThanOrEqual(20);
      expect(failed).toBeLessThan(20 + 4 + 4);
      expect(await why(world, campaignId)).toEqual({
        for: "refusals",
        serverMessage: "550 your network is on a blocklist",
        refused: expect.toSatisfy((count: number) => count >= 20 && count <= 25),
      });
      // Its enhanced status named that one: 5.1.1.
      expect(await suppressed()).toEqual(["person3@example.com"]);
      await sending.tick();
      expect(world.mailer.received).toHaveLength(failed);

      world.mailer.script = () => accepted;
      expect(await world.outreach.retryFailed(campaignId, operator)).toEqual({
        ok: true,
        changed: failed - 1,
        suppressed: 1,
      });
      expect(await world.outreach.resume(campaignId, operator)).toEqual({ ok: true });
      await sending.tick();
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", sent: 59, failed: 1 });
    });

    it("is heard of by what an instance still has in flight, and by the other instance (R22)", async () => {
      await signUp(database, people(80));
      const world = createTestOutreach(database, () => blocked);
      const campaignId = await world.confirmed();
      await world.dispatcher({ concurrency: 30 }).tick();
      await world.dispatcher({ instance: "two" }).tick();
      expect(await world.getStats(campaignId)).toMatchObject({ state: "paused", inFlight: 0 });
      expect(world.mailer.received.length).toBeLessThanOrEqual(60);
      expect(await suppressed()).toEqual([]);
    });

    it("stops it in the middle too, and begins to count again when the send goes on", async () => {
      await signUp(database, people(200));
      const world = createTestOutreach(database);
      const campaignId = await world.confirmed();
      world.mailer.script = () => (world.mailer.received.length > 100 ? blocked : accepted);
      const sending = world.dispatcher({ concurrency: 1 });
      await sending.tick();
      expect(await world.getStats(campaignId)).toMatchObject({ state: "paused", sent: 100, failed: 20 });
      await world.outreach.resume(campaignId, operator);
      await sending.tick();
      expect(await world.getStats(campaignId)).toMatchObject({ state: "paused", sent: 100, failed: 40 });
    });

    it("is not seen in a list with 15 % dead addresses, however they lie", async () => {
      await signUp(database, people(400));
      // Fifteen of each hundred in a row, and every seventh.
      const isDead = (address: string) => {
        const at = Number(/\d+/.exec(address)?.[0]);
        return at % 100 < 15 || (at > 200 && at % 7 === 0);
      };
      const world = createTestOutreach(database, ({ to }) => (isDead(to.address) ? refused : accepted));
      const campaignId = await world.confirmed();
      await world.dispatcher().tick();
      const dead = people(400).filter(isDead);
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", failed: dead.length });
      expect(await suppressed()).toEqual(dead.toSorted());
    });

    it("is not seen in temporary refusals that last until the tries are used up (R9)", async () => {
      await signUp(database, people(30));
      const world = createTestOutreach(database, () => ({
        kind: "deferred",
        code: 451,
        detail: "451 later",
      }));
      const campaignId = await world.confirmed();
      const sending = world.dispatcher();
      for (let time = 0; time < 7; time += 1) {
        await sending.tick();
        world.clock.forward(hours(4));
      }
      expect(await world.getStats(campaignId)).toMatchObject({ state: "finished", failed: 30 });
    });

    it("leaves an address off the list that had unsubscribed before it was refused", async () => {
      await signUp(database, people(40));
      const world = createTestOutreach(database);
      const campaignId = await world.confirmed();
      world.mailer.script = async ({ to }) => {
        const row = (await world.rows(campaignId)).find(({ address }) => address === to.address)!;
        // Between the claim and the answer, by the link of this very mail.
        if (to.address === "person1@example.com")
          await unsubscribe({ database, clock: () => 1, newId }, row.id);
        return blocked;
      };
      await world.dispatcher({ concurrency: 1 }).tick();
      expect(await world.getStats(campaignId)).toMatchObject({ state: "paused", failed: 20 });
      expect(await suppressed()).toEqual(["person1@example.com"]);
    });
  });
});
