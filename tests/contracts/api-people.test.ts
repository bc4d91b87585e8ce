import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { createApiPeople, type ApiPeopleFilter } from "~/services/api-people/api-people.server";
import { createPeopleList } from "~/services/people/people-list.server";
import { newId } from "~/services/service-deps";
import { suppress } from "../factories/outreach";
import { finishPeopleFill } from "../factories/people";
import { storeSubmissions } from "../factories/submissions";
import { storeInvitation } from "../factories/waves";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";
import { inPieces } from "../factories/pieces";

describeOnDatabases("the people that a program reads on %s", ({ database, dialect }) => {
  beforeEach(() => finishPeopleFill(database));

  const people = (on = database) =>
    createApiPeople({ database: on, peopleList: createPeopleList({ database: on }) });

  it("are listed in the order in which they were first known, with their suppression", async () => {
    const [ada = "", grace = "", bot = ""] = await storeSubmissions(database, [
      { email: "Ada@Example.com", company: "Engines", role: "developer" },
      { email: "grace@example.org", name: "Grace Hopper" },
      { email: "bot@example.com", name: "Bot", state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    await storeSubmissions(database, [{ email: "ada@example.com", name: "Ada Lovelace" }]);
    await suppress(database, "grace@example.org", "complained");
    const rows = await people().list({ limit: 9 });
    expect(rows).toMatchObject([
      {
        id: ada,
        email: "ada@example.com",
        name: "Ada Lovelace",
        company: "Engines",
        role: "developer",
        email_domain: "example.com",
        first_signup_at: expect.any(Number),
        suppression_reason: null,
        suppressed_at: null,
      },
      { id: grace, suppression_reason: "complained", suppressed_at: expect.any(Number) },
      { id: bot, first_signup_at: null },
    ]);
    expect(await people().list({ after: ada, limit: 1 })).toMatchObject([{ id: grace }]);
    expect(await people().list({ after: bot, limit: 1 })).toEqual([]);
    expect(await people().list({ limit: 9 }, { email: "ADA@example.com" })).toMatchObject([{ id: ada }]);
    expect(await people().list({ limit: 9 }, { email: "nobody@example.com" })).toEqual([]);
  });

  it("are listed under the filters of the list of people, page by page", async () => {
    const [ada = "", grace = "", , bo = ""] = await storeSubmissions(database, [
      { email: "ada@example.com", company: "Acme Tools", role: "developer" },
      { email: "grace@example.org", company: "ACME", role: "developer" },
      { email: "bot@example.com", company: "Acme", state: "quarantined", quarantine_reason: "honeypot" },
      { email: "bo@example.com", company: "Acme", role: "manager" },
    ]);
    await storeInvitation(database, { person_id: grace, state: "joined" });
    const list = async (filter: ApiPeopleFilter, page = {}) =>
      (await people().list({ limit: 9, ...page }, filter)).map(({ id }) => id);
    expect(await list({ company: "acme" })).toEqual([ada, grace, bo]);
    expect(await list({ company: "acme" }, { after: ada, limit: 1 })).toEqual([grace]);
    expect(await list({ company: "acme", role: "developer" })).toEqual([ada, grace]);
    expect(await list({ company: "acme", email: "Bo@example.com" })).toEqual([bo]);
    expect(await list({ role: "developer", email: "bo@example.com" })).toEqual([]);
    expect(await list({ invitation: "joined" })).toEqual([grace]);
    expect(await list({ invitation: "waiting" })).toEqual([ada, bo]);
    await storeInvitation(database, { person_id: bo, asked_at: 9 });
    expect(await list({ invitation: "asked" })).toEqual([bo]);
    expect(await people().list({ limit: 9 }, { invitation: "joined" })).toMatchObject([
      { wave_state: "joined" },
    ]);
  });

  it("have their newest forms, and are found by any of these", async () => {
    const ids = await storeSubmissions(database, [
      {},
      { kind: "contact-form", message: "May I?", inquiry_type: "general" },
      { state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    await storeSubmissions(database, [{ email: "grace@example.com" }]);
    for (const id of ids) {
      const person = await people().find(id, { limit: 2 });
      expect(person).toMatchObject({ id: ids[0], email: "ada@example.com", hasMoreForms: true });
      expect(person?.forms).toMatchObject([
        { id: ids[2], state: "quarantined" },
        { id: ids[1], kind: "contact-form", message: "May I?" },
      ]);
    }
    expect(await people().find(ids[0]!, { limit: 3 })).toMatchObject({ hasMoreForms: false });
    for (const id of ["\0", "x", newId()]) expect(await people().find(id, { limit: 2 })).toBeUndefined();
  });

  // R27
  it("of many are read by an index on every page", async () => {
    await inPieces(
      database,
      [1, 30_000],
      (numbers) => sql`
        insert into people (id, email_key, email, email_domain, name, company, role, first_signup_at)
        with recursive ${numbers}
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text), 'ada' || n || '@example.com', '', '', '', '',
          '', n
        from numbers`,
    );
    if (dialect === "postgres") await sql`vacuum analyze people`.execute(database.read);
    const middle = "01900000-0000-7000-8000-100000015000";
    for (const [page, email] of [
      [{ limit: 101 }],
      [{ after: middle, limit: 101 }],
      [{ limit: 101 }, "ada7@example.com"],
    ] as const) {
      const plans = await getPlans(database, (watched) => people(watched).list(page, { email }));
      expect(plans.join("\n")).not.toMatch(/Seq Scan on people\b|SCAN people(?! USING INDEX)|TEMP B-TREE/);
    }
  }, 60_000);
});
