import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import type { WaveInvitationState } from "~/db/tables/waves";
import { noteConfirmation } from "~/services/people/people-rows.server";
import { INVITATION_FILTERS, NEWEST_PEOPLE, type PeopleFilter } from "~/services/people/people-filter";
import { createPeopleList } from "~/services/people/people-list.server";
import { newId } from "~/services/service-deps";
import { createFunnel, sumFunnels } from "~/services/sources/funnel.server";
import { countWave } from "~/services/waves/wave-counts.server";
import { listWaveFunnel, sumWaveFunnels } from "~/services/waves/wave-funnel.server";
import { operator } from "../factories/outreach";
import { inPieces } from "../factories/pieces";
import { createTestSubmissions, storeSubmissions } from "../factories/submissions";
import { createTestClock } from "../factories/time";
import { createTestWaves, storeInvitation } from "../factories/waves";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

const STATES: readonly WaveInvitationState[] = ["reserved", "invited", "joined", "undeliverable"];

describeOnDatabases("the people of a wave on %s", ({ database }) => {
  const invite = (person_id: string, differing: Partial<Parameters<typeof storeInvitation>[1]> = {}) =>
    storeInvitation(database, { person_id, ...differing });
  const findAsked = async (filter: PeopleFilter = {}, on: Database = database) => {
    const list = createPeopleList({ database: on });
    const page = { order: NEWEST_PEOPLE, limit: 9 };
    const { rows, total } = await list.list({ ...filter, invitation: "asked" }, page);
    expect(total).toBe(rows.length);
    return rows.map(({ email }) => email);
  };

  it("are counted by source, and step by step as in the funnel of all who signed up", async () => {
    const [wave, other] = [newId(), newId()];
    const sources = ["fair", "fair", "fair", "fair", "fair", "direct", "direct", "fair", "fair"];
    const ids = await storeSubmissions(
      database,
      sources.map((source, n) => ({ email: `p${n}@example.com`, source })),
    );
    for (const n of [0, 1, 5, 7]) {
      await database.write((trx) => noteConfirmation(trx, `p${n}@example.com`, 5));
    }
    for (const [n, state] of [...STATES, "invited", "joined", "undeliverable"].entries()) {
      await invite(ids[n]!, { campaign_id: wave, state: state as WaveInvitationState });
    }
    // Of another wave, and without an invitation.
    await invite(ids[7]!, { campaign_id: other, state: "joined" });
    await invite(ids[8]!, { campaign_id: null, state: "joined" });

    const funnel = await listWaveFunnel(database, wave);
    expect(funnel).toEqual([
      { source: "fair", people: 5, confirmed: 2, invited: 3, joined: 1 },
      { source: "direct", people: 2, confirmed: 1, invited: 1, joined: 1 },
    ]);
    const total = sumWaveFunnels(funnel);
    expect(total).toEqual({ people: 7, confirmed: 3, invited: 4, joined: 2 });
    const { reserved, invited, joined, undeliverable } = await countWave(database, wave);
    expect(total).toMatchObject({
      people: reserved + invited + joined + undeliverable,
      invited: invited + joined,
      joined,
    });
    expect(sumWaveFunnels(await listWaveFunnel(database, newId()))).toMatchObject({ people: 0 });

    // All waves together are the dashboard's.
    const rest = sumWaveFunnels(await listWaveFunnel(database, other));
    const all = sumFunnels(await createFunnel({ database, isInviting: true }).list({ from: 0 }));
    expect(all).toMatchObject({
      confirmed: total.confirmed + rest.confirmed,
      invited: total.invited + rest.invited,
      joined: total.joined + rest.joined,
      uninvited: 1,
    });
  });

  it("are read by the wave, and not among everybody", async () => {
    await storeSubmissions(database, [{}]);
    const plans = await getPlans(database, (watched) => listWaveFunnel(watched, newId()));
    // PostgreSQL scans tables of a few rows.
    if (database.dialect === "postgres") return;
    expect(plans.join("\n")).toContain("wave_invitations_of_campaign (campaign_id=?)");
    expect(plans.join("\n")).not.toMatch(/SCAN (people|wave_invitations)/);
  });

  it("are counted as they are listed: without whose only submission is deleted, until that is undone", async () => {
    const { deletions } = createTestSubmissions(database);
    const list = createPeopleList({ database });
    const wave = newId();
    const sources = ["fair", "fair", "direct", "direct", "direct"];
    const ids = await storeSubmissions(
      database,
      sources.map((source, n) => ({ email: `p${n}@example.com`, source })),
    );
    for (const [n, state] of [...STATES, "invited" as const].entries()) {
      await invite(ids[n]!, { campaign_id: wave, state, asked_at: state === "invited" ? 9 : null });
    }
    // Of another form.
    await storeSubmissions(database, [{ kind: "updates-signup", email: "p4@example.com" }]);
    const getFigures = async () => {
      const { reserved: waiting, ...counts } = await countWave(database, wave);
      const listed: Record<string, number> = {};
      for (const invitation of INVITATION_FILTERS) {
        const filter = { campaign: { id: wave, got: "invitation" }, invitation } as const;
        const { rows } = await list.list(filter, { order: NEWEST_PEOPLE, limit: 9 });
        listed[invitation] = rows.length;
      }
      expect({ waiting, ...counts }).toEqual(listed);
      return { waiting, ...counts, bySource: await listWaveFunnel(database, wave) };
    };
    const before = await getFigures();
    expect(before).toMatchObject({ waiting: 1, invited: 2, joined: 1, undeliverable: 1, asked: 2 });

    const deletion = await deletions.delete({ kind: "early-access", ids }, operator);
    const left = { waiting: 0, invited: 1, joined: 0, undeliverable: 0, asked: 1 };
    const bySource = [{ source: "direct", people: 1, confirmed: 0, invited: 1, joined: 0 }];
    expect(await getFigures()).toEqual({ ...left, bySource });
    expect(await deletions.undo(deletion!, operator)).toBe(5);
    expect(await getFigures()).toEqual(before);
  });

  it("who asked for a new link are found until they have one, joined, or are refused", async () => {
    const clock = createTestClock();
    const { ofPeople, joins, getCode } = createTestWaves(database, clock);
    const addresses = ["ada@example.com", "grace@example.com", "alan@example.com", "mary@example.com"];
    const ids = await storeSubmissions(
      database,
      addresses.map((email, n) => ({ email, source: n < 2 ? "fair" : "direct" })),
    );
    const [ada = "", grace = "", alan = "", mary = ""] = ids;
    const wave = newId();
    const ask = (person_id: string, asked_at: number | null) =>
      invite(person_id, { campaign_id: wave, invited_at: 5, asked_at });
    await ask(ada, 9);
    await ask(grace, 9);
    await ask(alan, 9);
    await ask(mary, null);
    const countAsked = async () => (await countWave(database, wave)).asked;
    expect(await findAsked()).toEqual(["alan@example.com", "grace@example.com", "ada@example.com"]);
    expect(await findAsked({ source: "fair" })).toEqual(["grace@example.com", "ada@example.com"]);
    expect(await countAsked()).toBe(3);
    expect((await countWave(database, newId())).asked).toBe(0);

    expect(await ofPeople.resend(ada, 1, operator)).toEqual({ ok: true });
    expect(await ofPeople.revoke(grace, operator)).toEqual({ ok: true });
    expect(await findAsked()).toEqual(["alan@example.com"]);
    await joins.record([{ code: await getCode("alan@example.com") }]);
    expect([await findAsked(), await countAsked()]).toEqual([[], 0]);
  });

  it("who asked for a new link are found by an index of these alone", async () => {
    const wave = newId();
    const id = sql`'01900000-0000-7000-8000-' || cast(100000000000 + n as text)`;
    await inPieces(
      database,
      [1, 20_000],
      (numbers) => sql`
        insert into people (id, email_key, email, email_domain, name, company, role, first_signup_at, forms, source)
        with recursive ${numbers}
        select ${id}, n || '@example.com', n || '@example.com', '', '', '', '', n, 1, '' from numbers`,
    );
    await inPieces(
      database,
      [1, 20_000],
      (numbers) => sql`
        insert into wave_invitations (id, person_id, campaign_id, state, asked_at)
        with recursive ${numbers}
        select ${id}, ${id}, ${wave}, 'invited', case when n in (7, 9000) then n end from numbers`,
    );
    if (database.dialect === "postgres") {
      for (const table of ["people", "wave_invitations"]) {
        await sql`vacuum analyze ${sql.table(table)}`.execute(database.read);
      }
    }
    const plans = await getPlans(database, async (watched) => {
      expect(await findAsked({}, watched)).toEqual(["9000@example.com", "7@example.com"]);
      expect(await countWave(watched, wave)).toMatchObject({ invited: 20_000, asked: 2 });
    });
    expect(plans.filter((line) => line.includes("wave_invitations_asked")).length).toBeGreaterThanOrEqual(2);
    const scans =
      /Seq Scan on people\b|SCAN people(?! USING COVERING INDEX people_without_form)|SCAN wave_invitations(?! USING INDEX wave_invitations_asked)/;
    expect(plans.join("\n")).not.toMatch(scans);
  }, 60_000);
});
