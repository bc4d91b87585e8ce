import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from "kysely";
import type { Database, Read } from "~/db/database.server";
import { countUpTo, fetchIds } from "~/db/rows";
import type { Tables } from "~/db/tables";
import { listCases } from "~/lib/letter-cases";
import { likeLiteral } from "~/lib/like-literal";
import { longestPart } from "~/lib/search-words";
import { getLeastUuid } from "~/lib/uuid";
import { findDocuments, hasPartsIndex } from "~/services/search/document-search.server";
import { isInEmailState } from "~/services/suppressions/email-states.server";
import { IS_ASKED } from "~/services/waves/wave-invitations.server";
import { isFilled } from "./fill-people.server";
import type { CampaignFilter, InvitationFilter, PeopleFilter } from "./people-filter";
import { FORM_BITS } from "./person-forms";

/*
 * The one predicate of people: who matches a filter, without its search. The list, its file, audiences and the API read
 * by it.
 */

/** Most matches of a filter that are fetched at once: one in a hundred of a million. */
export const MAX_FEW = 10_000;
/** Most documents with a part of a company's name that are looked up; comparing more takes as long as a page may take. */
const MAX_DOCUMENTS = 500;

type Row = ExpressionBuilder<Tables, "people">;
/** A condition on rows of people. */
export type Match = (row: Row) => Expression<SqlBool>;

export interface Condition {
  readonly isMatch: Match;
  /** The same with its columns hidden from the planner, so that the order is followed instead of an index. */
  readonly isMatchHidden: Match;
  /** Whether an index finds the matches, and whether it has them in the order of the people's ids, which is that of time. */
  readonly index: "by-time" | "unordered" | "none";
  /**
   * Finds all who match, and perhaps some more, where an index of another table has them. Undefined where there are more
   * than few.
   */
  readonly findCandidates?: (database: Database, limit: number) => Promise<readonly string[] | undefined>;
  /** Selects the ids of all who match, where an index of another table has them in the order of time. */
  readonly selectIds?: (read: Read) => SelectQueryBuilder<Tables, "wave_invitations", { id: string }>;
}

/**
 * The whole predicate without its search, its columns hidden from the planner, so that no index is taken for selective
 * that is not.
 */
export const matchAll =
  (filter: PeopleFilter): Match =>
  (row) =>
    row.and([
      isListed(filter, { hidden: true }),
      ...listConditions(filter).map(({ isMatchHidden }) => isMatchHidden(row)),
    ]);

/** The same, of which a single condition leads: its index has its matches in the order of time, too. */
export function matchByTime(filter: PeopleFilter): Match {
  const [only, ...others] = listConditions(filter);
  if (!only) return () => isListed(filter, { hidden: false });
  if (only.index !== "by-time" || others.length > 0) return matchAll(filter);
  return (row) => row.and([only.isMatch(row), isListed(filter, { hidden: true })]);
}

/** @param hidden whether the column is hidden from the planner. Whoever has only unconfirmed, deleted or quarantined forms is listed when asked for. */
export const isListed = ({ form }: PeopleFilter, { hidden }: { readonly hidden: boolean }) =>
  sql<SqlBool>`${sql.raw(hidden ? "(0 + forms)" : "forms")} ${sql.raw(form === "none" ? "= 0" : "<> 0")}`;

export const isAmong =
  (ids: readonly string[]): Match =>
  (row) =>
    ids.length === 0 ? sql<SqlBool>`false` : row("people.id", "in", ids);

/**
 * Finds one condition of a filter that few people match, so that `matchAll` has to look at these alone. Neither database
 * chooses its way well by itself (docs/decisions/0110).
 * @returns undefined when each condition matches many.
 */
export async function findFew(
  database: Database,
  filter: PeopleFilter,
  limit = MAX_FEW,
): Promise<Match | undefined> {
  const { longRead } = database;
  for (const { isMatch, index, findCandidates } of listConditions(filter)) {
    const ids = await findCandidates?.(database, limit);
    if (ids) return isAmong(ids);
    if (index === "none") continue;
    const some = longRead.selectFrom("people").select("id").where(isMatch);
    if ((await countUpTo(limit + 1, longRead, some)) <= limit) return isMatch;
  }
  return undefined;
}

/** Returns the conditions of a filter, without its search. */
export function listConditions(filter: PeopleFilter): Condition[] {
  const { form, role, company, domain, source, emailState, confirmed } = filter;
  const { campaign, invitation, from, until } = filter;
  const conditions: Condition[] = [];
  /** @param create receives the column as it is, and then as something that no index has. */
  const add = (column: string, create: (column: RawBuilder<unknown>) => RawBuilder<SqlBool>) => {
    const isNumber = column === "forms" || column === "confirmed_at";
    const plain = create(sql.raw(column));
    const hidden = create(sql.raw(isNumber ? `(0 + ${column})` : `(${column} || '')`));
    conditions.push({ isMatch: () => plain, isMatchHidden: () => hidden, index: "by-time" });
  };
  if (form === "none") add("forms", (forms) => sql`${forms} = 0`);
  // Each form has a partial index with exactly this condition.
  else if (form) add("forms", (forms) => sql`${forms} & ${sql.lit(FORM_BITS[form])} <> 0`);
  // The second condition makes the partial index usable.
  if (role) add("role", (column) => sql`${column} = ${role} and ${column} <> ''`);
  if (company) conditions.push(toCompany(company, filter));
  if (domain) add("email_domain", (column) => sql`${column} = ${domain}`);
  if (source) add("source", (column) => sql`${column} = ${source}`);
  if (confirmed === "yes") add("confirmed_at", (column) => sql`${column} is not null`);
  if (confirmed === "no") conditions.push(unindexed(() => sql<SqlBool>`confirmed_at is null`));
  if (from !== undefined || until !== undefined) {
    const first = getLeastUuid(from ?? 0);
    // Without a last day there is no bound: no text sorts after all ids in every collation.
    const isBefore = (column: RawBuilder<unknown>) =>
      until === undefined ? sql`` : sql` and ${column} < ${getLeastUuid(until)}`;
    add("people.id", (column) => sql`${column} >= ${first}${isBefore(column)}`);
  }
  if (campaign) conditions.push(toRecipients(campaign));
  if (invitation) conditions.push(toInvited(invitation));
  if (emailState) {
    const isMatch = (hidden: boolean) => () => isInEmailState("people", emailState, { hidden });
    const index = emailState === "open" ? "none" : "unordered";
    conditions.push({ isMatch: isMatch(false), isMatchHidden: isMatch(true), index });
  }
  return conditions;
}

/** A condition that nearly everybody may match, or that no index of people has. */
const unindexed = (isMatch: Match): Condition => ({ isMatch, isMatchHidden: isMatch, index: "none" });

/** Whose company contains a text, in any case; SQLite's `lower` knows only those of a to z. */
function toCompany(text: string, { form }: PeopleFilter): Condition {
  const patterns = listCases(text).map(
    (each) => sql`lower(company) like lower(${`%${likeLiteral(each)}%`}) escape '!'`,
  );
  const isMatch = sql<SqlBool>`(${sql.join(patterns, sql` or `)})`;
  const part = longestPart(text);
  return {
    ...unindexed(() => isMatch),
    // Whoever has no accepted form has no document, and after an update some documents are still to be written.
    async findCandidates(database) {
      if (part === undefined || form === "none" || !(await isFilled(database.read))) return undefined;
      if (database.dialect === "postgres" && !(await hasPartsIndex(database.read))) return undefined;
      const page = { limit: MAX_DOCUMENTS + 1 };
      const ids = await findDocuments(database, { table: "people_documents", terms: [part], page });
      return ids.length <= MAX_DOCUMENTS ? ids : undefined;
    },
  };
}

/**
 * Who got a campaign, or did not: at their address, or at one that they had before a correction. One that is somebody's
 * again is theirs.
 */
function toRecipients({ id, got }: CampaignFilter): Condition {
  if (got === "invitation") return toInvitations(sql<boolean>`campaign_id = ${id}`);
  const isOfCampaign = sql`deliveries.campaign_id = ${id}`;
  const isInState = got === "any" ? sql`true` : sql`deliveries.state = ${got === "none" ? "sent" : got}`;
  const isFormer = sql`former.former_key <> '' and former.undone_at is null
    and not exists (select 1 from people as owner where owner.email_key = former.former_key)`;
  const hasDelivery = sql<SqlBool>`(
    exists (select 1 from deliveries
      where ${isOfCampaign} and deliveries.email_key = people.email_key and ${isInState})
    or exists (select 1 from person_corrections as former
      join deliveries on ${isOfCampaign} and deliveries.email_key = former.former_key
      where former.person_id = people.id and ${isFormer} and ${isInState})
  )`;
  if (got === "none") return unindexed(() => sql<SqlBool>`not ${hasDelivery}`);
  return {
    ...unindexed(() => hasDelivery),
    async findCandidates({ longRead }, limit) {
      // PostgreSQL would join all of a campaign's deliveries before it returned the first.
      const deliveries = longRead
        .selectFrom("deliveries")
        .select("id")
        .where(sql<boolean>`${isOfCampaign} and ${isInState}`);
      if ((await countUpTo(limit + 1, longRead, deliveries)) > limit) return undefined;
      // Cross joins are executed in the written order by SQLite.
      const { rows } = await sql<{ id: string }>`
        select id from (
          select people.id from deliveries cross join people
          where ${isOfCampaign} and ${isInState} and people.email_key = deliveries.email_key
          union all
          select former.person_id from person_corrections as former cross join deliveries
          where ${isFormer} and ${isOfCampaign} and ${isInState} and deliveries.email_key = former.former_key
        ) as recipients limit ${limit + 1}
      `.execute(longRead);
      return rows.length <= limit ? [...new Set(rows.map(({ id }) => id))] : undefined;
    },
  };
}

/** Who is where between the waiting list and the product, or asked for a new link; whoever a wave has reserved still waits. */
function toInvited(filter: InvitationFilter): Condition {
  if (filter === "asked") return toInvitations(IS_ASKED);
  if (filter !== "waiting") return toInvitations(sql<boolean>`state = ${filter}`);
  const isInvited = hasInvitation(sql<boolean>`state <> 'reserved'`);
  return unindexed(() => sql<SqlBool>`not ${isInvited}`);
}

/** Who has such an invitation. */
function toInvitations(isSuch: RawBuilder<boolean>): Condition {
  const selectIds = (read: Read) =>
    read.selectFrom("wave_invitations").select("person_id as id").where(isSuch);
  return {
    ...unindexed(() => hasInvitation(isSuch)),
    selectIds,
    async findCandidates({ longRead }, limit) {
      const ids = await fetchIds(selectIds(longRead).limit(limit + 1));
      return ids.length <= limit ? ids : undefined;
    },
  };
}

const hasInvitation = (isSuch: RawBuilder<boolean>) => sql<SqlBool>`exists (
  select 1 from wave_invitations where wave_invitations.person_id = people.id and ${isSuch}
)`;

/** Lists the ids of all who match, where they are no more than `limit`. */
export async function listFew(
  { longRead }: Pick<Database, "longRead">,
  filter: PeopleFilter,
  limit: number,
): Promise<string[] | undefined> {
  const some = longRead.selectFrom("people").select("people.id as id").where(matchAll(filter));
  const ids = await fetchIds(some.orderBy("people.id").limit(limit + 1));
  return ids.length <= limit ? ids : undefined;
}
