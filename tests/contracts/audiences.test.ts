import { beforeEach, expect, it } from "vitest";
import { days, hours } from "~/lib/durations";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { between, pickOne } from "~/lib/random";
import { utcDay } from "~/lib/utc-day";
import { zonedDay } from "~/lib/zoned-day";
import { WAVE_STATES } from "~/lib/wave-states";
import { createAudiences } from "~/services/audiences/audiences.server";
import { sweepFrozenPeople } from "~/services/audiences/frozen-people.server";
import {
  AUDIENCE_ORDERS,
  formatNarrowing,
  parseNarrowing,
  toPeopleFilter,
  type Narrowing,
} from "~/services/audiences/narrowing";
import { createPeopleList, type ListedPerson } from "~/services/people/people-list.server";
import { noteConfirmation } from "~/services/people/people-rows.server";
import { createPeople } from "~/services/people/people.server";
import { NEWEST_PEOPLE, RECEIPTS, type PeopleFilter } from "~/services/people/people-filter";
import { newId } from "~/services/service-deps";
import { createTestCorrections } from "../factories/corrections";
import { createMortalDatabase, MOMENTS } from "../factories/mortal-database";
import { createTestOutreach, operator, people, signUp, suppress } from "../factories/outreach";
import { createPersonData, finishPeopleFill } from "../factories/people";
import { storeSubmissions } from "../factories/submissions";
import { storeInvitation } from "../factories/waves";
import { accepted, refused } from "../fakes/scripted-mailer";
import { createRandom, SEED } from "../seeded-random";
import { describeOnDatabases } from "./use-database";

const AT = Date.UTC(2026, 9, 1);
const CONFIRMED = { ok: true, already: false };
const AUDIENCE_CHANGED = { ok: false, error: "audience-changed" };

const narrow = (narrowing: Partial<Narrowing>) => formatNarrowing({ order: "oldest", ...narrowing });

describeOnDatabases("a narrowed audience on %s", ({ database }) => {
  beforeEach(() => finishPeopleFill(database));

  const frozen = async (campaignId: string) =>
    (
      await database.read
        .selectFrom("campaign_people")
        .innerJoin("people", "people.id", "person_id")
        .select("email")
        .where("campaign_id", "=", campaignId)
        .orderBy("place")
        .execute()
    ).map(({ email }) => email);

  const countFrozen = async () =>
    (await database.read.selectFrom("campaign_people").select("place").execute()).length;

  it(`is the same in list, count, ids and deliveries (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const addresses = Array.from(
      { length: 240 },
      (_, at) => `p${at}@${pickOne(random, ["acme.com", "example.org", "a.example", `own${at}.example`])}`,
    );
    await storeSubmissions(
      database,
      addresses.flatMap((email, at) =>
        Array.from({ length: between(random, 1, 2) }, () => ({
          email,
          created_at: AT + hours(4 * at),
          kind: pickOne(random, SUBMISSION_KINDS),
          state: pickOne(random, ["accepted", "accepted", "accepted", "quarantined"] as const),
          name: pickOne(random, ["Ada Byron", "Grace Hopper", ""]),
          company: pickOne(random, ["Acme Tools", "ACME", "Zenith", ""]),
          source: pickOne(random, ["news.example", "unknown"]),
          role: pickOne(random, ["developer", "manager", ""] as const),
        })),
      ),
    );
    await database.write(async (trx) => {
      for (const email of addresses.filter(() => random() < 0.3)) await noteConfirmation(trx, email, AT);
    });
    for (const email of addresses.filter(() => random() < 0.05)) await suppress(database, email);
    const refuse = new Set(addresses.filter(() => random() < 0.2));
    const world = createTestOutreach(database, ({ to }) => (refuse.has(to.address) ? refused : accepted));
    const former = await world.confirmed();
    for (const email of addresses.filter(() => random() < 0.05)) await suppress(database, email, "refused");
    const worker = world.campaignWorker({ concurrency: 50 });
    await worker.tick();

    for (const { id } of await database.read.selectFrom("people").select("id").execute()) {
      const state = pickOne(random, ["invited", "joined", "undeliverable", "reserved", "none"] as const);
      const campaign_id = random() < 0.5 ? former : newId();
      if (state !== "none") await storeInvitation(database, { person_id: id, state, campaign_id });
    }

    const maybe = <Value>(values: readonly Value[]) => (random() < 0.3 ? pickOne(random, values) : undefined);
    const audiences = createAudiences({ database });
    const fromFewer = createAudiences({ database, maxFirst: 15 });
    const receipts = new Map((await world.rows(former)).map((row) => [row.email_key, row.state]));
    const ofFormer = await database.read
      .selectFrom("wave_invitations")
      .select("person_id")
      .where("campaign_id", "=", former)
      .execute();
    const campaign = { receipts, invited: new Set(ofFormer.map(({ person_id }) => person_id)) };
    const list = createPeopleList({ database });
    // Follows the order, as for many matches.
    const scanning = createPeopleList({ database, maxSorted: 3 });
    async function readAll(filter: PeopleFilter, from = list) {
      const rows: ListedPerson[] = [];
      for await (const batch of from.batches(filter, NEWEST_PEOPLE)) rows.push(...batch);
      return rows;
    }
    let found = 0;
    for (let each = 0; each < 60; each += 1) {
      const kind = pickOne(random, SUBMISSION_KINDS);
      const from = maybe([AT + days(3), AT + days(20)]);
      const to = maybe([AT + days(15), AT + days(30)]);
      const got = maybe(RECEIPTS);
      const narrowing = parseNarrowing(
        narrow({
          role: maybe(["developer", "manager", "executive"] as const),
          company: maybe(["acme", "E T", "nobody"]),
          domain: maybe(["acme.com", "a.example"]),
          source: maybe(["news.example", "unknown"]),
          confirmed: maybe(["yes", "no"] as const),
          invitation: random() < 0.2 ? pickOne(random, WAVE_STATES) : undefined,
          campaign: got && { id: former, got },
          from: from === undefined ? undefined : utcDay(from),
          to: to === undefined ? undefined : utcDay(to),
          timeZone: pickOne(random, ["UTC", "Asia/Tokyo"]),
          order: pickOne(random, AUDIENCE_ORDERS),
          limit: maybe([1, 7, 40]),
          perDomain: maybe([1, 3]),
        }),
      );
      const filter = toPeopleFilter(kind, narrowing);
      const rows = await readAll(filter);
      expect([narrowing, await readAll(filter, scanning)]).toEqual([narrowing, rows]);
      const group = await readAll({ form: kind });
      expect([narrowing, rows]).toEqual([narrowing, group.filter((row) => fits(row, narrowing, campaign))]);
      const expected = choose(rows, narrowing);
      found += expected.length;

      const unsubscribed = rows.filter(({ suppression }) => suppression === "unsubscribed").length;
      const skipped = rows.filter(({ suppression }) => suppression !== null).length;
      expect([narrowing, await audiences.count({ kind, narrowing })]).toEqual([
        narrowing,
        {
          total: rows.length,
          mailable: rows.length - skipped,
          skippedByReason: { unsubscribed, suppressed: skipped - unsubscribed },
          chosen: expected.length,
        },
      ]);
      const ids = expected.map(({ id }) => id);
      expect([narrowing, await audiences.listIds({ kind, narrowing })]).toEqual([narrowing, ids]);
      expect([narrowing, await fromFewer.listIds({ kind, narrowing })]).toEqual([narrowing, ids]);
      const first = await audiences.listFirst({ kind, narrowing }, 5);
      expect(first.map(({ email }) => email)).toEqual(expected.slice(0, 5).map(({ email }) => email));

      if (each % 10 > 0 || expected.length === 0) continue;
      const campaignId = await world.draft({ audience: kind, narrowing: formatNarrowing(narrowing) });
      expect(await world.confirm(campaignId)).toEqual(CONFIRMED);
      await worker.tick();
      const deliveries = await world.rows(campaignId);
      // Without a filter the whole group gets it, the suppressed as skipped deliveries.
      const isWhole = formatNarrowing(narrowing) === "";
      const sendable = deliveries.filter(({ state }) => !isWhole || state !== "skipped");
      expect(sendable.map(({ address }) => address)).toEqual(expected.map(({ email }) => email));
      await world.getStats(campaignId);
    }
    expect(found).toBeGreaterThan(50);
    expect(await countFrozen()).toBe(0);
  });

  /** Creates a draft to some of 30 people, newest first so that the order is seen, and confirms it. */
  async function confirmNarrowed(narrowing = narrow({ order: "newest", limit: 12 })) {
    await signUp(database, people(30));
    const world = createTestOutreach(database);
    const campaignId = await world.draft({ narrowing });
    expect(await world.confirm(campaignId)).toEqual(CONFIRMED);
    return { ...world, campaignId };
  }
  const NEWEST = people(30).toReversed().slice(0, 12);

  it("is frozen when it is confirmed, and not refilled", async () => {
    const { campaignId, outreach, rows, campaignWorker, getStats, mailer } = await confirmNarrowed();
    expect(await outreach.findCampaign(campaignId)).toMatchObject({
      state: "preparing",
      counted: 12,
      freezing: "",
    });
    expect(await frozen(campaignId)).toEqual(NEWEST);

    await signUp(database, ["later@example.com"]);
    await suppress(database, NEWEST[3]!);
    const personData = createPersonData(database);
    const erasing = createPeople({ database, personData, clock: Date.now, newId });
    const ids = await erasing.findIds([NEWEST[5]!]);
    expect(await erasing.export(ids.get(NEWEST[5]!) ?? "", operator)).toMatchObject({
      chosenFor: [{ campaign_id: campaignId }],
    });
    await erasing.erase(ids.get(NEWEST[5]!) ?? "", operator);
    expect(await countFrozen()).toBe(11);

    await campaignWorker().tick();
    const left = NEWEST.filter((_, at) => at !== 5);
    expect((await rows(campaignId)).map(({ address }) => address)).toEqual(left);
    expect(mailer.recipients.toSorted()).toEqual(left.filter((_, at) => at !== 3).toSorted());
    expect(await getStats(campaignId)).toMatchObject({
      state: "finished",
      selected: 11,
      goneSinceReview: 1,
      sent: 10,
      skippedByReason: { unsubscribed: 1 },
    });
    expect(await countFrozen()).toBe(0);
  });

  it("follows people who are corrected or merged, and an undo", async () => {
    const { campaignId } = await confirmNarrowed(narrow({ limit: 3 }));
    const { corrections, corrected, peopleOn } = createTestCorrections(database);
    const [first = "", second = "", third = "", last = ""] = people(4);
    const ids = await peopleOn().findIds([first, second, third, last]);
    const getId = (address: string) => ids.get(address) ?? "";
    await corrected(getId(first), { email: "new@example.com" });
    // Who takes the other one in was not chosen.
    const merging = await corrected(getId(second), { email: last }, { mergeWith: getId(last) });
    expect(await frozen(campaignId)).toEqual(["new@example.com", last, third]);
    await corrections.undo(merging, operator);
    expect(await frozen(campaignId)).toEqual(["new@example.com", second, third]);
    // Both were chosen: the place of the one who goes stays empty.
    await corrected(getId(second), { email: third }, { mergeWith: getId(third) });
    expect(await frozen(campaignId)).toEqual(["new@example.com", third]);
  });

  it("leaves who has a former address now to be found by what they got there, and nobody else", async () => {
    const { corrected } = createTestCorrections(database);
    const store = async (email: string) => (await storeSubmissions(database, [{ email }]))[0] ?? "";
    const corrects = await store("jane@example.com");
    await corrected(corrects, { email: "jan@example.com" });
    const jane = await store("jane@example.com");
    const world = createTestOutreach(database, ({ to }) =>
      to.address === "jan@example.com" ? refused : accepted,
    );
    const campaign = await world.confirmed();
    await world.campaignWorker().tick();
    const audiences = createAudiences({ database });
    const list = (got: (typeof RECEIPTS)[number]) =>
      audiences.listIds({
        kind: "early-access",
        narrowing: { order: "oldest", campaign: { id: campaign, got } },
      });
    await database.write((trx) => trx.deleteFrom("suppressions").execute());
    expect(await list("sent")).toEqual([jane]);
    expect(await list("failed")).toEqual([corrects]);
    expect(await list("none")).toEqual([corrects]);
  });

  it("leaves the suppressed out before its limit", async () => {
    await signUp(database, people(5));
    await suppress(database, people(5)[0]!);
    const { draft, confirm, review } = createTestOutreach(database);
    const campaignId = await draft({ narrowing: narrow({ limit: 3 }) });
    expect(await review(campaignId)).toMatchObject({ counted: 3 });
    expect(await confirm(campaignId)).toEqual(CONFIRMED);
    expect(await frozen(campaignId)).toEqual(people(5).slice(1, 4));
  });

  it("is asked about again when its number is another one, or what narrows it", async () => {
    await signUp(database, people(3));
    const { draft, confirm, review, outreach } = createTestOutreach(database);
    const narrowing = narrow({ domain: "example.com" });
    const campaignId = await draft({ narrowing });
    const reviewed = await review(campaignId);
    await suppress(database, people(3)[0]!);
    expect(await confirm(campaignId, reviewed)).toEqual(AUDIENCE_CHANGED);
    expect(await outreach.findCampaign(campaignId)).toMatchObject({ state: "draft", freezing: "" });
    expect(await countFrozen()).toBe(0);

    const again = await review(campaignId);
    await draft({ id: campaignId, narrowing: narrow({ domain: "example.com", limit: 4 }) });
    expect(await confirm(campaignId, again)).toEqual({ ok: false, error: "content-changed" });
    expect(await confirm(campaignId)).toEqual(CONFIRMED);
    expect(await confirm(campaignId, again)).toEqual({ ok: true, already: true });
  });

  it("leaves out who signed up since it was counted", async () => {
    await signUp(database, people(3));
    const { draft, confirm, review } = createTestOutreach(database);
    const campaignId = await draft({ narrowing: narrow({ order: "newest" }) });
    const reviewed = await review(campaignId);
    await signUp(database, ["later@example.com"]);
    expect(await confirm(campaignId, reviewed)).toEqual(CONFIRMED);
    expect(await frozen(campaignId)).toEqual(people(3).toReversed());
  });

  it("has nobody, or a draft that cannot be sent, and nothing stays frozen", async () => {
    await signUp(database, people(3));
    const { draft, confirm } = createTestOutreach(database);
    const nobody = await draft({ narrowing: narrow({ company: "nobody" }) });
    expect(await confirm(nobody)).toEqual({ ok: false, error: "no-recipients" });
    const untitled = await draft({ title: "", narrowing: narrow({ limit: 2 }) });
    expect(await confirm(untitled)).toEqual({ ok: false, error: "not-sendable" });
    expect(await countFrozen()).toBe(0);
  });

  it("is chosen again when a scheduled campaign is edited, and kept by its copies", async () => {
    const narrowing = narrow({ order: "newest", limit: 12 });
    const { campaignId, outreach, clock, draft, confirm, campaignWorker } = await confirmNarrowed(narrowing);
    const copy = await outreach.copyAsDraft(campaignId, operator.by);
    expect(await outreach.findCampaign(copy ?? "")).toMatchObject({ narrowing });

    const planned = await draft({ narrowing });
    await confirm(planned, undefined, { beginAt: clock() + hours(2), whenMissed: "send" });
    expect((await frozen(planned)).length).toBe(12);
    expect(await outreach.edit(planned, operator)).toEqual({ ok: true });
    await campaignWorker().tick();
    expect(await frozen(planned)).toEqual([]);
    expect(await outreach.findCampaign(planned)).toMatchObject({
      state: "draft",
      narrowing,
      prepared_through: "",
    });
    await signUp(database, ["later@example.com"]);
    expect(await confirm(planned)).toEqual(CONFIRMED);
    expect((await frozen(planned))[0]).toBe("later@example.com");
  });

  it("is dropped when the campaign is cancelled", async () => {
    const { campaignId, outreach, campaignWorker, getStats } = await confirmNarrowed();
    await outreach.cancel(campaignId, operator);
    await campaignWorker().tick();
    expect(await countFrozen()).toBe(0);
    expect(await getStats(campaignId)).toMatchObject({ state: "cancelled", selected: 0 });
  });

  it.each(MOMENTS)("survives a crash %s any write of its confirmation", async (moment) => {
    await signUp(database, people(2500));
    const narrowing = narrow({ limit: 2300 });
    for (let atWrite = 1, isDone = false; !isDone; atWrite += 1) {
      const { victim } = createMortalDatabase(database, { atWrite, moment });
      const dying = createTestOutreach(victim);
      const world = createTestOutreach(database);
      const campaignId = await world.draft({ narrowing });
      const reviewed = await world.review(campaignId);
      isDone = await dying.outreach.confirm({ campaignId, reviewed }, operator).then(
        () => true,
        () => false,
      );
      const confirmed = await world.confirm(campaignId, reviewed);
      expect(confirmed).toMatchObject({ ok: true });
      expect((await frozen(campaignId)).length).toBe(2300);
      expect((await frozen(campaignId)).slice(0, 2)).toEqual(people(2));
      await world.outreach.cancel(campaignId, operator);
      await world.campaignWorker().tick();
      expect(await countFrozen()).toBe(0);
      expect(atWrite).toBeLessThan(12);
    }
  });

  it("of an interrupted confirmation is swept after an hour", async () => {
    await signUp(database, people(1200));
    const { victim } = createMortalDatabase(database, { atWrite: 4, moment: "after" });
    const { draft, review } = createTestOutreach(database);
    const campaignId = await draft({ narrowing: narrow({ order: "newest" }) });
    const dying = createTestOutreach(victim);
    const reviewed = await review(campaignId);
    await expect(dying.outreach.confirm({ campaignId, reviewed }, operator)).rejects.toThrow("killed");
    expect(await countFrozen()).toBe(1000);
    await sweepFrozenPeople(database, Date.now);
    expect(await countFrozen()).toBe(1000);
    await sweepFrozenPeople(database, () => Date.now() + hours(2));
    expect(await countFrozen()).toBe(0);
  });

  it("of an interrupted confirmation is swept when the whole group was confirmed since", async () => {
    await signUp(database, people(1200));
    const { victim } = createMortalDatabase(database, { atWrite: 4, moment: "after" });
    const { draft, review, confirm, campaignWorker, getStats } = createTestOutreach(database);
    const campaignId = await draft({ narrowing: narrow({ order: "newest" }) });
    const dying = createTestOutreach(victim);
    const reviewed = await review(campaignId);
    await expect(dying.outreach.confirm({ campaignId, reviewed }, operator)).rejects.toThrow("killed");
    await draft({ id: campaignId });
    expect(await confirm(campaignId)).toEqual(CONFIRMED);
    const narrowed = await draft({ narrowing: narrow({ limit: 3 }) });
    expect(await confirm(narrowed)).toEqual(CONFIRMED);
    expect(await countFrozen()).toBe(1003);
    await sweepFrozenPeople(database, () => Date.now() + hours(2));
    expect(await countFrozen()).toBe(3);
    await campaignWorker({ concurrency: 50 }).tick();
    expect(await getStats(campaignId)).toMatchObject({ state: "finished", sent: 1200 });
    expect(await getStats(narrowed)).toMatchObject({ state: "finished", sent: 3 });
  });

  it("is confirmed once by two instances, and copied once", async () => {
    await signUp(database, people(1500));
    const [one, other] = [createTestOutreach(database), createTestOutreach(database)];
    const campaignId = await one.draft({ narrowing: narrow({ order: "newest", limit: 1400 }) });
    const reviewed = await one.review(campaignId);
    const outcomes = await Promise.all([
      one.confirm(campaignId, reviewed),
      other.confirm(campaignId, reviewed),
    ]);
    expect(outcomes.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    expect(await frozen(campaignId)).toEqual(people(1500).toReversed().slice(0, 1400));
    const workers = [one, other].map((world) => world.campaignWorker({ concurrency: 50 }));
    await Promise.all(workers.map((worker) => worker.tick()));
    await one.campaignWorker().tick();
    expect(await one.getStats(campaignId)).toMatchObject({ state: "finished", sent: 1400 });
    expect(one.mailer.received.length + other.mailer.received.length).toBe(1400);
  });

  it("resumes after a crash between two pieces of its deliveries", async () => {
    const narrowing = narrow({ order: "newest", limit: 600 });
    await signUp(database, people(700));
    const world = createTestOutreach(database);
    const campaignId = await world.draft({ narrowing });
    await world.confirm(campaignId);
    const { victim } = createMortalDatabase(database, { atWrite: 3, moment: "after" });
    await expect(world.campaignWorker({ database: victim }).tick()).rejects.toThrow("killed");
    const left = await countFrozen();
    expect([left > 0, left < 600]).toEqual([true, true]);
    world.clock.forward(hours(1));
    await world.campaignWorker({ concurrency: 50 }).tick();
    const expected = people(700).toReversed().slice(0, 600);
    expect((await world.rows(campaignId)).map(({ address }) => address)).toEqual(expected);
    expect(await countFrozen()).toBe(0);
  });
});

interface FormerCampaign {
  /** States of its deliveries by address. */
  readonly receipts: ReadonlyMap<string, string>;
  /** Ids of the people whose invitations are of it. */
  readonly invited: ReadonlySet<string>;
}

/** Returns whether a person matches a narrowing. */
function fits(row: ListedPerson, narrowing: Narrowing, { receipts, invited }: FormerCampaign): boolean {
  const { role, company = "", domain, source, confirmed, campaign, invitation } = narrowing;
  const { from, to, timeZone = "UTC" } = narrowing;
  const day = zonedDay(row.first_seen_at, timeZone);
  const receipt = receipts.get(row.email.toLowerCase());
  const isReceived = {
    sent: receipt === "sent",
    failed: receipt === "failed",
    skipped: receipt === "skipped",
    any: receipt !== undefined,
    none: receipt !== "sent",
    invitation: invited.has(row.id),
  };
  return (
    (!role || row.role === role) &&
    row.company.toLowerCase().includes(company.toLowerCase()) &&
    (!domain || row.email_domain === domain) &&
    (!source || row.source === source) &&
    (!confirmed || (row.confirmed_at !== null) === (confirmed === "yes")) &&
    (!campaign || isReceived[campaign.got]) &&
    (!invitation || row.wave_state === invitation) &&
    (!from || day >= from) &&
    (!to || day <= to)
  );
}

/** Chooses from the rows of the list as an audience does. */
function choose(rows: readonly ListedPerson[], { order, limit, perDomain = Infinity }: Narrowing) {
  const sign = order === "newest" ? -1 : 1;
  const ranks = new Map<string, number>();
  const ranked = rows
    .filter(({ suppression }) => suppression === null)
    .toSorted((one, other) => (one.id < other.id ? -sign : sign))
    .map((row) => {
      const rank = (ranks.get(row.email_domain) ?? 0) + 1;
      ranks.set(row.email_domain, rank);
      return { row, rank };
    })
    .filter(({ rank }) => rank <= perDomain);
  // A stable sort: the same rank stays in the order of age.
  const ordered = order === "spread" ? ranked.toSorted((one, other) => one.rank - other.rank) : ranked;
  return ordered.slice(0, limit).map(({ row }) => row);
}
