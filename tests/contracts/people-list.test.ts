import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { days } from "~/lib/durations";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { between, pickOne } from "~/lib/random";
import { isFoundBy, searchDocument, searchTerms } from "~/lib/search-words";
import { WAVE_STATES } from "~/lib/wave-states";
import {
  FORM_FILTERS,
  NEWEST_PEOPLE,
  PEOPLE_SORTS,
  type PeopleFilter,
  type PeopleOrder,
} from "~/services/people/people-filter";
import { createPeopleList, type ListedPerson } from "~/services/people/people-list.server";
import { toFormKinds } from "~/services/people/person-forms";
import { noteConfirmation } from "~/services/people/people-rows.server";
import { newId } from "~/services/service-deps";
import { finishPeopleFill } from "../factories/people";
import { storeSubmissions } from "../factories/submissions";
import { storeInvitation } from "../factories/waves";
import { createRandom, SEED } from "../seeded-random";
import { describeOnDatabases } from "./use-database";

const AT = Date.UTC(2026, 10, 1);
const ORDERS = (Object.keys(PEOPLE_SORTS) as PeopleOrder["sort"][]).flatMap((sort) =>
  (["asc", "desc"] as const).map((direction) => ({ sort, direction })),
);

const FILTERS: readonly PeopleFilter[] = [
  {},
  ...FORM_FILTERS.map((form) => ({ form })),
  { role: "developer" },
  { company: "ACME Tools" },
  { company: "me t" },
  { company: "%" },
  { company: "Augustin" },
  { company: "ØRSTED", form: "early-access" },
  { company: "Électricité ør" },
  { company: "ÉLECTRICITÉ" },
  { domain: "acme.com" },
  { source: "news.example" },
  { source: "unknown", role: "manager" },
  { emailState: "open" },
  { emailState: "unsubscribed" },
  { emailState: "suppressed" },
  { confirmed: "yes" },
  { confirmed: "no" },
  ...WAVE_STATES.map((invitation) => ({ invitation })),
  { invitation: "invited", confirmed: "no" },
  { invitation: "joined", form: "early-access", domain: "acme.com" },
  { search: "o", invitation: "invited" },
  { from: AT + days(10) },
  { from: AT + days(5), until: AT + days(20) },
  { form: "early-access", role: "developer", confirmed: "no" },
  { form: "contact-form", domain: "acme.com", emailState: "open" },
  { search: "ad" },
  { search: "cme" },
  { search: "acme ada", form: "early-access" },
  { search: "o", role: "manager" },
  { search: "nobody" },
  { search: "offers", form: "none" },
];

const COMPANIES = [
  "Acme Tools",
  "acme tools",
  "Zenith",
  "Électricité Ørsted",
  "Institut für Arbeitsschutz der Deutschen Gesetzlichen Unfallversicherung in Sankt Augustin",
  "",
];

describeOnDatabases("the list of people on %s", ({ database }) => {
  beforeEach(() => finishPeopleFill(database));

  /** Stores people with everything that the list filters and sorts by. */
  async function storePeople() {
    const random = createRandom(SEED);
    const people = Array.from({ length: 40 }, (_, at) => ({
      email: `${pickOne(random, ["ada", "bob", "Cy"])}${at}@${pickOne(random, ["acme.com", "example.org"])}`,
      created_at: AT + days(at),
    }));
    await storeSubmissions(
      database,
      people.flatMap(({ email, created_at }) =>
        Array.from({ length: between(random, 1, 3) }, () => ({
          email,
          created_at,
          kind: pickOne(random, SUBMISSION_KINDS),
          state: pickOne(random, ["accepted", "accepted", "quarantined"] as const),
          name: pickOne(random, ["Ada Byron", "best offers", "Ørsted", ""]),
          company: pickOne(random, COMPANIES),
          source: pickOne(random, ["news.example", "unknown"]),
          role: pickOne(random, ["developer", "manager", ""] as const),
        })),
      ),
    );
    const ids = await database.read.selectFrom("people").select("id").orderBy("email_key").execute();
    for (const [at, { id }] of ids.entries()) {
      const state = (["invited", "joined", "invited", "reserved", undefined] as const)[at % 5];
      if (state) await storeInvitation(database, { person_id: id, state });
    }
    await database.write(async (trx) => {
      for (const [at, { email }] of people.entries()) {
        const email_key = email.toLowerCase();
        if (at % 4 === 0) await noteConfirmation(trx, email_key, AT);
        if (at % 5 > 1) continue;
        const reason = at % 5 === 0 ? ("unsubscribed" as const) : ("refused" as const);
        const row = {
          address: email,
          email_key,
          reason,
          detail: "",
          opted_out: 0 as const,
          delivery_id: null,
        };
        await trx
          .insertInto("suppressions")
          .values({ ...row, id: newId(), created_at: AT })
          .execute();
      }
    });
  }

  const fits = (person: ListedPerson, filter: PeopleFilter): boolean => {
    const {
      search,
      form,
      role,
      company,
      domain,
      source,
      emailState,
      confirmed,
      invitation,
      from = 0,
      until = Infinity,
    } = filter;
    const forms = toFormKinds(person.forms);
    const state =
      person.suppression === null
        ? "open"
        : person.suppression === "unsubscribed"
          ? "unsubscribed"
          : "suppressed";
    const isListed = form === "none" ? forms.length === 0 : form ? forms.includes(form) : forms.length > 0;
    const isFound =
      search === undefined || (form !== "none" && isFoundBy(searchDocument(person), searchTerms(search)));
    return (
      isListed &&
      isFound &&
      (!role || person.role === role) &&
      (!company || person.company.toLowerCase().includes(company.toLowerCase())) &&
      (!source || person.source === source) &&
      (!domain || person.email_domain === domain) &&
      (!emailState || state === emailState) &&
      (!invitation || person.wave_state === invitation) &&
      (!confirmed || (person.confirmed_at !== null) === (confirmed === "yes")) &&
      person.first_seen_at >= from &&
      person.first_seen_at < until
    );
  };

  /** Reads all pages of a list. */
  async function readAll(
    list: ReturnType<typeof createPeopleList>,
    filter: PeopleFilter,
    order: PeopleOrder,
  ) {
    const rows: ListedPerson[] = [];
    for (let last: string | undefined; ;) {
      const bound = order.direction === "desc" ? { before: last } : { after: last };
      const page = await list.list(filter, { order, ...bound, limit: 7 });
      rows.push(...page.rows);
      if (page.rows.length < 7) return { rows, isTooCommon: page.isTooCommon };
      last = page.rows.at(-1)?.id;
    }
  }

  describe.each([
    ["few matches, which are sorted", {}],
    ["many matches, which are skipped", { maxSorted: 3, maxResults: 3 }],
  ])("with %s,", (_, limits) => {
    it("has each match once, in order, under every filter", async () => {
      await storePeople();
      const list = createPeopleList({ database, ...limits });
      const everybody = [
        ...(await readAll(list, {}, NEWEST_PEOPLE)).rows,
        ...(await readAll(list, { form: "none" }, NEWEST_PEOPLE)).rows,
      ];
      expect(everybody).toHaveLength(40);
      for (const order of ORDERS) {
        const inOrder = await readOrder(database, order);
        for (const filter of FILTERS) {
          const expected = new Set(everybody.filter((person) => fits(person, filter)).map(({ id }) => id));
          const { rows, isTooCommon } = await readAll(list, filter, order);
          const ids = rows.map(({ id }) => id);
          const byTime = [...expected].toSorted().reverse();
          const sorted = isTooCommon ? byTime : inOrder.filter((id) => expected.has(id));
          expect([filter, order, ids]).toEqual([filter, order, sorted]);
        }
      }
    });
  });

  it("counts who has an accepted form, and is exported in batches", async () => {
    await storePeople();
    const list = createPeopleList({ database });
    const { rows } = await readAll(list, {}, { sort: "name", direction: "asc" });
    expect(await list.count()).toEqual({ count: rows.length, isMore: false });
    const exported = [];
    for await (const batch of list.batches({}, { sort: "name", direction: "asc" })) exported.push(...batch);
    expect(exported).toEqual(rows);
    expect(exported.length).toBeGreaterThan(20);
  });

  it("is exported to its end when the last person of a batch is erased or renamed meanwhile", async () => {
    await storeSubmissions(
      database,
      Array.from({ length: 1010 }, (_, at) => ({ email: `p${at}@example.com`, name: `P ${at % 3}` })),
    );
    const list = createPeopleList({ database });
    const exported: string[] = [];
    for await (const batch of list.batches({}, { sort: "name", direction: "asc" })) {
      const id = batch.at(-1)?.id ?? "";
      await database.write(async (trx) => {
        if (exported.length === 0) await trx.deleteFrom("people").where("id", "=", id).execute();
        else await trx.updateTable("people").set({ name: "A" }).where("id", "=", id).execute();
      });
      exported.push(...batch.map(({ email }) => email));
    }
    expect(new Set(exported).size).toBe(1010);
    expect(exported).toHaveLength(1010);
  });

  it("is exported in one order, when a search finds more meanwhile", async () => {
    const store = (from: number, length: number) =>
      storeSubmissions(
        database,
        Array.from({ length }, (_, at) => ({ email: `p${from + at}@example.com`, name: `Ada ${at % 7}` })),
      );
    await store(0, 500);
    const list = createPeopleList({ database });
    const exported: string[] = [];
    for await (const batch of list.batches({ search: "ada" }, { sort: "name", direction: "asc" })) {
      if (exported.length === 0) await store(500, 1);
      exported.push(...batch.map(({ email }) => email));
    }
    expect([exported.length, new Set(exported).size]).toEqual([500, 500]);
  });

  it.each(["\0", "' or 1=1; --", "00000000-0000-7000-8000-000000000000"])(
    "lists the first page after the id %j",
    async (after) => {
      await storePeople();
      const list = createPeopleList({ database });
      const order = { sort: "name", direction: "asc" } as const;
      const { rows } = await list.list({}, { order, after, limit: 5 });
      expect(rows).toEqual((await list.list({}, { order, limit: 5 })).rows);
    },
  );
});

/** Reads the ids of everybody in an order, as the database compares texts: by byte, or as in a language. */
async function readOrder({ read }: Database, { sort, direction }: PeopleOrder): Promise<string[]> {
  const key = { first: "id", name: "lower(name)", address: "email_key", company: "lower(company)" }[sort];
  const way = sql.raw(direction);
  const people = read.selectFrom("people").select("id");
  return fetchIds(people.orderBy(sql`${sql.raw(key)} ${way}, id ${way}`));
}
