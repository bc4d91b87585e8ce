import type { Database, Read } from "~/db/database.server";
import { fetchIds, fetchPage } from "~/db/rows";
import { emailKey } from "~/lib/email-address";
import type { ListPage } from "~/lib/list-page";
import type { PeopleFilter, PeopleOrder } from "~/services/people/people-filter";
import type { PeopleList } from "~/services/people/people-list.server";
import { matchAll } from "~/services/people/people-match.server";
import { findPerson, listSubmissions, listSubmissionIds } from "~/services/people/person-rows.server";
import { selectWave } from "~/services/waves/wave-invitations.server";

interface ApiPeopleDeps {
  readonly database: Database;
  readonly peopleList: Pick<PeopleList, "listIds">;
}

/** Left out: everybody. */
export type ApiPeopleFilter = Omit<PeopleFilter, "search"> & { readonly email?: string | undefined };

const OLDEST_PEOPLE: PeopleOrder = { sort: "first", direction: "asc" };

/** Reads people, with what the suppression list says of them, for programs. */
export function createApiPeople({ database, peopleList }: ApiPeopleDeps) {
  const { read } = database;

  /** Finds the ids of a page of those who match a filter, as the list of people has them. */
  function findMatching(page: ListPage, { email, ...filter }: ApiPeopleFilter) {
    if (email === undefined) return peopleList.listIds(filter, { ...page, order: OLDEST_PEOPLE });
    const key = emailKey(email);
    return fetchIds(
      read.selectFrom("people").select("people.id").where("email_key", "=", key).where(matchAll(filter)),
    );
  }

  return {
    /**
     * Lists a page of people by id, in the order in which they were first known. Under a filter other than the address,
     * they are those of the list of people: who has an accepted form.
     */
    async list(page: ListPage, filter: ApiPeopleFilter = {}): Promise<ListedPerson[]> {
      const { email, ...others } = filter;
      const order = { id: "people.id", direction: "asc" } as const;
      if (Object.values(others).some((value) => value !== undefined)) {
        const ids = await findMatching(page, filter);
        if (ids.length === 0) return [];
        return fetchPage(selectPeople(read).where("people.id", "in", ids), page, order);
      }
      const people = selectPeople(read).$if(email !== undefined, (query) =>
        query.where("people.email_key", "=", emailKey(email ?? "")),
      );
      return fetchPage(people, page, order);
    },

    /**
     * Finds a person, by their id or by that of any of their submissions, with their newest `limit` submissions in any
     * state. Undefined for an unknown id.
     */
    async find(id: string, { limit }: { limit: number }) {
      const known = await findPerson(read, id);
      if (!known) return undefined;
      const { email_key } = known;
      const person = await selectPeople(read).where("people.email_key", "=", email_key).executeTakeFirst();
      if (!person) return undefined;
      const ids = await listSubmissionIds(read, email_key, limit + 1);
      const forms = await listSubmissions(read, ids.slice(0, limit));
      return { ...person, forms, hasMoreForms: ids.length > limit };
    },
  };
}

export type ListedPerson = Awaited<ReturnType<ReturnType<typeof selectPeople>["execute"]>>[number];

function selectPeople(read: Read) {
  return read
    .selectFrom("people")
    .leftJoin("suppressions", "suppressions.email_key", "people.email_key")
    .select([
      "people.id",
      "people.email",
      "name",
      "company",
      "role",
      "email_domain",
      "source",
      "confirmed_at",
      "first_signup_at",
    ])
    .select(selectWave())
    .select(["suppressions.reason as suppression_reason", "suppressions.created_at as suppressed_at"]);
}
