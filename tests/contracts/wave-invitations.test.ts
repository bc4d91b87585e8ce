import { expect, it } from "vitest";
import { NEWEST_PEOPLE } from "~/services/people/people-filter";
import { createPeopleList } from "~/services/people/people-list.server";
import { newId } from "~/services/service-deps";
import {
  countReserved,
  findInvitation,
  releaseInvitations,
  reserveInvitations,
  selectWaveState,
} from "~/services/waves/wave-invitations.server";
import { createTestCorrections } from "../factories/corrections";
import { operator } from "../factories/outreach";
import { createTestPeople } from "../factories/people";
import { storeSubmissions } from "../factories/submissions";
import { listInvitations, storeInvitation } from "../factories/waves";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

const ADA = "ada@example.com";
const GRACE = "grace@example.com";

describeOnDatabases("invitations of people on %s", ({ database }) => {
  const store = (...addresses: string[]) =>
    storeSubmissions(
      database,
      addresses.map((email) => ({ email })),
    ) as Promise<[string, string, ...string[]]>;
  const reserve = (campaignId: string, personIds: readonly string[]) =>
    database.write((trx) => reserveInvitations(trx, { campaignId, personIds }, { newId, now: 5 }));
  const listStates = async () => {
    const people = database.read.selectFrom("people").select(["email", selectWaveState()]).orderBy("id");
    return (await people.execute()).map((row) => `${row.email} ${row.wave_state}`);
  };

  it("are reserved once for each person, for those who are there", async () => {
    const [ada, grace, third] = (await store(ADA, GRACE, "third@example.com")) as string[];
    const [first, second] = [newId(), newId()];
    expect(await reserve(first, [ada!, newId()])).toEqual([ada]);
    expect((await reserve(second, [third!, ada!, grace!])).toSorted()).toEqual([grace, third].toSorted());
    expect(await reserve(second, [ada!, grace!])).toEqual([]);
    expect([await countReserved(database.read, first), await countReserved(database.read, second)]).toEqual([
      1, 2,
    ]);
    expect(await findInvitation(database.read, ada!)).toMatchObject({
      campaign_id: first,
      state: "reserved",
      issue: 1,
      reserved_at: 5,
      invited_at: null,
      wave: null,
    });
    expect(await listStates()).toEqual([`${ADA} waiting`, `${GRACE} waiting`, "third@example.com waiting"]);
  });

  it("of two waves that reserve at the same moment share nobody", async () => {
    const ids = await store(...Array.from({ length: 40 }, (_, n) => `person${n}@example.com`));
    const [first, second] = await Promise.all([reserve(newId(), ids), reserve(newId(), ids.toReversed())]);
    expect([...first, ...second].toSorted()).toEqual(ids.toSorted());
  });

  it("are returned while nothing was sent, and stay once it was", async () => {
    const [ada, grace] = await store(ADA, GRACE);
    const campaign = newId();
    await reserve(campaign, [ada, grace]);
    await database.write((trx) =>
      trx.updateTable("wave_invitations").set({ state: "invited" }).where("person_id", "=", ada).execute(),
    );
    const release = () => database.write((trx) => releaseInvitations(trx, campaign));
    expect([await release(), await release()]).toEqual([1, 0]);
    expect(await listStates()).toEqual([`${ADA} invited`, `${GRACE} waiting`]);
    expect(await reserve(newId(), [ada, grace])).toEqual([grace]);
  });

  it("of somebody who joined without one, and was merged, come back", async () => {
    const { corrected, corrections } = createTestCorrections(database);
    const [ada, grace] = await store(ADA, GRACE);
    await storeInvitation(database, { person_id: ada, state: "joined", campaign_id: null });
    const before = await listInvitations(database);
    const merged = await corrected(ada, { email: GRACE }, { mergeWith: grace });
    expect(await listInvitations(database)).toMatchObject([{ person_id: grace, state: "joined" }]);
    expect(await corrections.undo(merged, operator)).toMatchObject({ ok: true, person: ada });
    expect(await listInvitations(database)).toEqual(before);
  });

  it.each([
    ["joined", "invited", 0],
    ["reserved", "invited", 1],
    ["reserved", "undeliverable", 1],
    ["invited", "joined", 1],
    ["invited", "invited", 0],
  ] as const)("of two people that are merged become one: of %s and %s, number %i", async (a, b, kept) => {
    const { correct, corrected, corrections } = createTestCorrections(database);
    const [ada, grace] = await store(ADA, GRACE);
    const rows = [
      await storeInvitation(database, { person_id: ada, state: a }),
      await storeInvitation(database, { person_id: grace, state: b, joined_email: "x@example.com" }),
    ];
    const before = await listInvitations(database);
    expect(await correct(ada, { email: GRACE }, { mergeWith: grace })).toMatchObject({
      ok: true,
      person: grace,
    });
    expect(await listInvitations(database)).toMatchObject([{ ...rows[kept], person_id: grace }]);
    const [correction] = (await database.read.selectFrom("person_corrections").select("id").execute()) as [
      { id: string },
    ];
    expect(await corrections.undo(correction.id, operator)).toMatchObject({ ok: true, person: ada });
    expect(await listInvitations(database)).toEqual(before);

    const again = await corrected(ada, { email: GRACE }, { mergeWith: grace });
    await database.write((trx) => trx.updateTable("wave_invitations").set({ asked_at: 9 }).execute());
    expect(await corrections.undo(again, operator)).toEqual({ ok: false, error: "over" });
  });

  it("are found by a rare state by an index", async () => {
    const [ada] = await store(ADA);
    await storeInvitation(database, { person_id: ada, state: "undeliverable" });
    const plans = await getPlans(database, async (watched) => {
      const filter = { invitation: "undeliverable" } as const;
      const { rows } = await createPeopleList({ database: watched }).list(filter, {
        order: NEWEST_PEOPLE,
        limit: 5,
      });
      expect(rows).toMatchObject([{ email: ADA }]);
    });
    // PostgreSQL scans tables of a few rows.
    if (database.dialect === "postgres") return;
    expect(plans.join("\n")).toContain("USING COVERING INDEX wave_invitations_by_state (state=?)");
    expect(plans.filter((line) => line.includes("SCAN wave_invitations"))).toEqual([]);
  });

  it("follow a person whose address is corrected", async () => {
    const { corrected } = createTestCorrections(database);
    const [ada] = await store(ADA);
    await storeInvitation(database, { person_id: ada });
    await corrected(ada, { email: "lovelace@example.com" });
    expect(await listStates()).toEqual(["lovelace@example.com invited"]);
  });

  it("are exported, and erased with the person and with who joined by them", async () => {
    const { peopleOn } = createTestPeople(database, "");
    const [ada, grace] = await store(ADA, GRACE);
    await storeInvitation(database, { person_id: ada, state: "joined", joined_email: GRACE });
    await storeInvitation(database, { person_id: grace });
    expect(await peopleOn().export(ada, operator)).toMatchObject({
      waveInvitation: { state: "joined", joined_email: GRACE },
    });
    await peopleOn().erase(grace, operator);
    expect(await listInvitations(database)).toMatchObject([{ person_id: ada, joined_email: "erased" }]);
    await peopleOn().erase(ada, operator);
    expect(await listInvitations(database)).toEqual([]);
  });
});
