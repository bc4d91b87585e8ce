import { expect, it } from "vitest";
import { readPage, readPlace, type PageOfList, type Place } from "~/http/list-state";
import { minutes } from "~/lib/durations";
import { getLeastUuid } from "~/lib/uuid";
import type { SubmissionOrder } from "~/services/submissions/submission-filter";
import { NEWEST_PEOPLE } from "~/services/people/people-filter";
import { createPeopleList } from "~/services/people/people-list.server";
import { operator } from "../factories/outreach";
import { createTestSubmissions, ORDERS, storeSubmissions } from "../factories/submissions";
import { createTestSignups } from "../factories/forms";
import { createTestSuppressions } from "../factories/suppressions";
import { describeOnDatabases } from "./use-database";

const SIZE = 4;
/** The id of a row that has gone. */
const GONE = "01900000-0000-7000-8000-000000000000";
const NAMES = ["ada", "Ada", "Grace", "", "Zoë"];

type Read = (place: Place) => Promise<PageOfList<{ readonly id: string }>>;
const listIds = ({ rows }: PageOfList<{ readonly id: string }>) => rows.map(({ id }) => id);

/** Reads a list from its first page to its last, and back to the first. @returns the ids of the pages, one way. */
async function walk(read: Read): Promise<string[][]> {
  const pages = [await read({})];
  for (let { next } = pages[0]!; next; { next } = pages.at(-1)!) pages.push(await read(next));
  for (let at = pages.length - 1; at > 0; at -= 1) {
    const back = await read(pages[at]!.previous!);
    expect(listIds(back)).toEqual(listIds(pages[at - 1]!));
    expect(back.isFirst).toBe(at === 1);
  }
  return pages.map(listIds);
}

describeOnDatabases("the pages of a list on %s", ({ database }) => {
  const store = (count: number) =>
    storeSubmissions(
      database,
      Array.from({ length: count }, (_, index) => ({
        name: NAMES[index % NAMES.length]!,
        email: `Person${index % 7}@example.com`,
        company: `Company ${index % 3}`,
      })),
    );
  const readSignups = (order: SubmissionOrder): Read => {
    const { list } = createTestSignups(database).signups;
    return (place) => readPage(place, SIZE, (page) => list("early-access", page, order), order.direction);
  };
  const readSubmissions = (order: SubmissionOrder): Read => {
    const { list } = createTestSubmissions(database).submissions;
    return (place) =>
      readPage(
        place,
        SIZE,
        async (page) => (await list({ kind: "early-access" }, { order, ...page })).rows,
        order.direction,
      );
  };
  const NEWEST: SubmissionOrder = { sort: "received", direction: "desc" };

  it("have each row once, the same on the way back, in every order", async () => {
    const ids = await store(18);
    for (const order of ORDERS) {
      const pages = await walk(readSignups(order));
      expect(pages.map(({ length }) => length)).toEqual([4, 4, 4, 4, 2]);
      expect(pages.flat().toSorted()).toEqual(ids.toSorted());
    }
  });

  it("begin with a full one, whatever was deleted or came meanwhile", async () => {
    const ids = await store(10);
    const read = readSignups(NEWEST);
    const second = await read((await read({})).next!);
    expect(listIds(second)).toEqual(ids.slice(2, 6).toReversed());
    await database.write((trx) => trx.deleteFrom("submissions").where("id", "in", ids.slice(-2)).execute());
    const first = await read(second.previous!);
    expect(first).toMatchObject({ isFirst: true, previous: undefined, place: {} });
    expect(listIds(first)).toEqual(ids.slice(4, 8).toReversed());
    await store(3);
    const newer = await read(second.previous!);
    expect(newer).toMatchObject({ isFirst: false, previous: { after: newer.rows[0]!.id } });
    expect(newer.rows).toHaveLength(SIZE);
    expect(newer.rows.at(-1)!.id).toBe(ids[6]);
  });

  // R13
  it("are the first one for an id that is none, and the next ones for one that is gone", async () => {
    const ids = await store(9);
    const gone = ids[4]!;
    await database.write((trx) => trx.deleteFrom("submissions").where("id", "=", gone).execute());
    for (const read of [readSignups(NEWEST), readSubmissions(NEWEST)]) {
      for (const bound of ["before", "after"]) {
        const place = readPlace(new URLSearchParams({ [bound]: "no id\0" }));
        expect(await read(place)).toEqual(await read({}));
      }
      expect(listIds(await read({ before: gone }))).toEqual(ids.slice(0, 4).toReversed());
    }
    const byName = readSignups({ sort: "name", direction: "asc" });
    expect(listIds(await byName({ after: gone }))).toEqual(listIds(await byName({})));
  });

  it("of suppressed addresses are in order under every filter", async () => {
    const { list, clock } = createTestSuppressions(database);
    for (let index = 0; index < 11; index += 1) {
      await list.add(`Person${(index * 7) % 11}@example.com`, "", operator);
      clock.forward(minutes(1));
    }
    for (const sort of ["added", "address"] as const) {
      for (const direction of ["asc", "desc"] as const) {
        for (const filter of [
          {},
          { reason: "added" },
          { prefix: "person1" },
          { reason: "added", prefix: "p" },
        ] as const) {
          const order = { sort, direction };
          const pages = await walk((place) =>
            readPage(place, SIZE, (page) => list.list(filter, page, order), direction),
          );
          const listed = (await list.listByIds(pages.flat())).map((row) => row.address.toLowerCase());
          expect(listed).toHaveLength("prefix" in filter && filter.prefix === "person1" ? 2 : 11);
          const keys = new Map((await list.listByIds(pages.flat())).map((row) => [row.id, row.address]));
          const shown = pages.flat().map((id) => (sort === "added" ? id : keys.get(id)!.toLowerCase()));
          expect(shown).toEqual(direction === "asc" ? shown.toSorted() : shown.toSorted().reverse());
        }
      }
    }
  });

  it("are the first one, in full, when the row that bounds them has gone", async () => {
    const { list } = createTestSuppressions(database);
    for (let index = 0; index < 11; index += 1)
      await list.add(`person${10 + index}@example.com`, "", operator);
    await store(18);
    const people = createPeopleList({ database });
    const { submissions } = createTestSubmissions(database);
    for (const direction of ["asc", "desc"] as const) {
      const order = { sort: "name", direction } as const;
      const lists: Parameters<typeof readPage>[2][] = [
        (page) => list.list({}, page, { sort: "address", direction }),
        async (page) => (await people.list({}, { order, ...page })).rows,
        async (page) => (await submissions.list({ kind: "early-access" }, { order, ...page })).rows,
      ];
      const reads = lists.map(
        (each): Read =>
          (place) =>
            readPage(place, SIZE, each, direction),
      );
      for (const read of reads) {
        const first = await read({});
        expect(await read({ before: GONE })).toEqual(first);
        expect(await read({ after: GONE })).toEqual(first);
      }
    }
  });

  it("of a search show each person once, and lead back to the first", async () => {
    const people = Array.from({ length: 12 }, (_, index) => ({
      name: "Ada",
      email: `person${index % 9}@example.com`,
      id: getLeastUuid(Date.UTC(2026, 0, 1) + index).replace(/0{12}$/, String(100000000000 + index)),
    }));
    await storeSubmissions(database, people);
    const list = createPeopleList({ database });
    const read: Read = (place) =>
      readPage(
        place,
        SIZE,
        async (page) => (await list.list({ search: "ada" }, { order: NEWEST_PEOPLE, ...page })).rows,
      );
    const seen = new Set<string>();
    let page = await read({});
    for (; page.next; page = await read(page.next)) listIds(page).forEach((id) => seen.add(id));
    listIds(page).forEach((id) => seen.add(id));
    const back = new Set<string>();
    for (; page.previous; page = await read(page.previous)) listIds(page).forEach((id) => back.add(id));
    listIds(page).forEach((id) => back.add(id));
    expect(page.isFirst).toBe(true);
    expect(page.rows).toHaveLength(SIZE);
    const emails = async (ids: Set<string>) =>
      new Set(
        (
          await database.read
            .selectFrom("people")
            .select("email")
            .where("id", "in", [...ids])
            .execute()
        ).map(({ email }) => email),
      );
    expect(await emails(seen)).toEqual(new Set(people.map(({ email }) => email)));
    expect(await emails(back)).toEqual(new Set(people.map(({ email }) => email)));
  });
});
