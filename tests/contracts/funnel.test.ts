import { describe, expect, it } from "vitest";
import { sql } from "kysely";
import { days } from "~/lib/durations";
import { addLandingVisits } from "~/services/sources/landing-visits.server";
import { createFunnel, sumFunnels } from "~/services/sources/funnel.server";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { noteConfirmation } from "~/services/people/people-rows.server";
import { dialects, testDatabase } from "../databases";
import { migrateThrough, withRawConnection } from "../factories/old-database";
import { expectFunnelToAgree, storeSubmissions } from "../factories/submissions";
import { storeInvitation } from "../factories/waves";
import { withDatabase } from "../faults/ledger";
import { removeAfterTest } from "../fixture";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

const DAY = Date.UTC(2026, 10, 21);

describeOnDatabases("the funnel on %s", ({ database }) => {
  const list = (from = DAY) => createFunnel({ database, isInviting: false }).list({ from });
  const sum = async () => sumFunnels(await list());
  const invite = (person_id: string, differing: Partial<Parameters<typeof storeInvitation>[1]> = {}) =>
    storeInvitation(database, { person_id, ...differing });
  const update = (
    id: string,
    changes: { state?: "invited" | "joined" | "undeliverable"; person_id?: string },
  ) =>
    database.write((trx) => trx.updateTable("wave_invitations").set(changes).where("id", "=", id).execute());

  /** Eight people, on two days and from two sources. */
  const signUp = () =>
    storeSubmissions(
      database,
      Array.from({ length: 8 }, (_, index) => ({
        email: `p${index}@example.com`,
        source: index < 5 ? "fair" : "direct",
        created_at: index < 4 ? DAY : DAY + days(1),
      })),
    );

  it("counts how far those came who signed up in the span, by source", async () => {
    const ids = await signUp();
    await storeSubmissions(database, [{ email: "old@example.com", created_at: DAY - 1, source: "fair" }]);
    await addLandingVisits(database, [
      { day: DAY, source: "fair", count: 50 },
      { day: DAY, source: "blog.example.net", count: 3 },
      { day: DAY - days(1), source: "fair", count: 9 },
    ]);
    await database.write((trx) => noteConfirmation(trx, "p0@example.com", DAY + 5));
    await database.write((trx) => noteConfirmation(trx, "p5@example.com", DAY + 5));
    await invite(ids[0]!);
    await invite(ids[1]!, { state: "reserved" });
    await invite(ids[2]!, { state: "joined" });
    await invite(ids[3]!, { state: "undeliverable" });
    await invite(ids[5]!, { state: "joined", campaign_id: null });
    expect(await list()).toEqual([
      { source: "fair", visits: 50, signups: 5, confirmed: 1, invited: 2, joined: 1, uninvited: 0 },
      { source: "direct", visits: 0, signups: 3, confirmed: 1, invited: 0, joined: 0, uninvited: 1 },
      {
        source: "blog.example.net",
        visits: 3,
        signups: 0,
        confirmed: 0,
        invited: 0,
        joined: 0,
        uninvited: 0,
      },
    ]);
    expect(await sum()).toEqual({
      visits: 53,
      signups: 8,
      confirmed: 2,
      invited: 2,
      joined: 1,
      uninvited: 1,
    });
    expect(sumFunnels(await list(0))).toMatchObject({ visits: 62, signups: 9 });
    await expectFunnelToAgree(database);
  });

  it("follows an invitation, and a person who takes theirs along", async () => {
    const ids = await signUp();
    const { id } = await invite(ids[0]!, { state: "reserved" });
    expect(await sum()).toMatchObject({ invited: 0, joined: 0 });
    await update(id, { state: "invited" });
    expect(await sum()).toMatchObject({ invited: 1, joined: 0 });
    await update(id, { state: "joined" });
    expect(await sum()).toMatchObject({ invited: 1, joined: 1 });
    // As a merge does, to a person of another source.
    await update(id, { person_id: ids[7]! });
    expect(await list()).toMatchObject([
      { source: "fair", invited: 0, joined: 0 },
      { source: "direct", invited: 1, joined: 1 },
    ]);
    await expectFunnelToAgree(database);
    // The invitation goes with the person.
    await database.write((trx) => eraseSubmissions(trx, [ids[7]!]));
    expect(await sum()).toMatchObject({ signups: 7, invited: 0, joined: 0 });
    const other = await invite(ids[1]!);
    await database.write((trx) => trx.deleteFrom("wave_invitations").where("id", "=", other.id).execute());
    expect(await sum()).toMatchObject({ signups: 7, invited: 0 });
    await expectFunnelToAgree(database);
  });

  it("follows a person whose first submission goes", async () => {
    const [first = ""] = await storeSubmissions(database, [
      { source: "newsletter", created_at: DAY },
      { source: "fair", created_at: DAY + days(2) },
    ]);
    await invite(first, { state: "joined" });
    expect(await list()).toMatchObject([{ source: "newsletter", signups: 1, joined: 1 }]);
    await database.write((trx) => eraseSubmissions(trx, [first]));
    expect(await list(DAY + days(2))).toMatchObject([{ source: "fair", signups: 1, joined: 1 }]);
    await expectFunnelToAgree(database);
  });

  it("agrees with the rows after random changes", async () => {
    const ids = await signUp();
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const states = ["reserved", "invited", "joined", "undeliverable"] as const;
    for (let step = 0; step < 60; step += 1) {
      const person_id = ids[random(ids.length)]!;
      const row = {
        id: `i${step}`,
        person_id,
        campaign_id: random(3) === 0 ? null : "c",
        state: states[random(4)]!,
      };
      await database.write(async (trx) => {
        if (random(5) === 0) {
          await trx.deleteFrom("wave_invitations").where("person_id", "=", person_id).execute();
        } else if (random(4) === 0) {
          const changes = { confirmed_at: random(2) ? 1 : null, source: `s${random(3)}` };
          await trx.updateTable("people").set(changes).where("id", "=", person_id).execute();
        } else {
          await trx
            .insertInto("wave_invitations")
            .values(row)
            .onConflict((conflict) =>
              conflict.column("person_id").doUpdateSet({ state: row.state, campaign_id: row.campaign_id }),
            )
            .execute();
        }
      });
    }
    await expectFunnelToAgree(database);
    await database.write((trx) => trx.deleteFrom("people").execute());
    expect(await list()).toEqual([]);
    await expectFunnelToAgree(database);
  });

  it("reads counts, and no people", async () => {
    const plans = await getPlans(database, (watched) =>
      createFunnel({ database: watched, isInviting: false }).list({ from: DAY }),
    );
    expect(plans.join("\n")).not.toMatch(/people|wave_invitations/);
  });
});

describe.each(dialects)("the people of an earlier version, on %s,", (dialect) => {
  it("are counted", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0029-waves");
    await withRawConnection(place, async (db) => {
      for (const [id, at, confirmed] of [
        ["a", DAY, 5],
        ["b", DAY + 1, null],
        ["c", null, null],
      ] as const) {
        await sql`insert into people (id, email_key, email, email_domain, name, company, role, first_signup_at, source,
            confirmed_at)
          values (${id}, ${id}, ${id}, '', '', '', '', ${at}, 'fair', ${confirmed})`.execute(db);
      }
      await sql`insert into wave_invitations (id, person_id, campaign_id, state) values ('i', 'b', 'c', 'joined')`.execute(
        db,
      );
    });
    await withDatabase(place, async (database) => {
      await expectFunnelToAgree(database);
      const [fair] = await createFunnel({ database, isInviting: false }).list({ from: DAY });
      expect(fair).toMatchObject({ signups: 2, confirmed: 1, invited: 1, joined: 1 });
    });
  });
});
