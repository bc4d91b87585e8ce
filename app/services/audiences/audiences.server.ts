import { sql, type SqlBool } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { SubmissionKind } from "~/lib/form-fields";
import { getLeastUuid, getUuidTime } from "~/lib/uuid";
import { findFew, matchAll, type Match } from "~/services/people/people-match.server";
import { MAX_AUDIENCE, toPeopleFilter, type Narrowing } from "./narrowing";

/** A group, and what narrows it. */
export interface Audience {
  readonly kind: SubmissionKind;
  readonly narrowing: Narrowing;
  /**
   * Of a wave its id, empty before it is saved: only people without an invitation, but for those that an interrupted
   * confirmation of the same wave reserved. Undefined: of a campaign that invites nobody.
   */
  readonly wave?: string | undefined;
  /** Only who was first known at this time or before; epoch milliseconds. */
  readonly through?: number | undefined;
}

interface AudiencesDeps {
  readonly database: Database;
  /** Tests use fewer. */
  readonly maxFirst?: number;
}

export type Audiences = ReturnType<typeof createAudiences>;

/** People in the order of age among whom those of each domain are looked for first. */
const MAX_FIRST = 50_000;

/**
 * Memory that PostgreSQL may use to count. Who got a campaign of hundreds of thousands is then found in a table in memory,
 * six times as fast as in an index. A page of the list of people must not wait for such a table.
 */
const COUNTING_MEMORY = "64MB";

/** Whoever is suppressed is left out before the limit. */
const IS_MAILABLE = sql<SqlBool>`not exists (
  select 1 from suppressions where suppressions.email_key = people.email_key
)`;

/** By their id, hidden from the planner: nearly everybody was. */
const wasKnownBy = (through: number) => sql<SqlBool>`(people.id || '') < ${getLeastUuid(through + 1)}`;

/** Nobody is invited twice, nor is anybody who joined without an invitation: they have no campaign. */
const canBeInvited = (wave: string) => sql<SqlBool>`not exists (
  select 1 from wave_invitations where wave_invitations.person_id = people.id
    and not (wave_invitations.campaign_id = ${wave} and wave_invitations.state = 'reserved'
      and wave_invitations.campaign_id is not null)
)`;

/**
 * Counts and lists narrowed audiences, by the predicate of the list of people (people-match.server.ts): one entry a
 * person, the suppressed left out, then in order and limited.
 */
export function createAudiences({ database, maxFirst = MAX_FIRST }: AudiencesDeps) {
  const { longRead } = database;

  /** Returns the predicate, which begins with a condition that few people match where there is one. */
  async function findMatch({ kind, narrowing, wave, through }: Audience): Promise<Match> {
    const filter = toPeopleFilter(kind, narrowing);
    const few = await findFew(database, filter);
    const isOfFilter = matchAll(filter);
    const conditions: Match[] = [
      ...(few ? [few] : []),
      isOfFilter,
      ...(wave === undefined ? [] : [() => canBeInvited(wave)]),
      ...(through === undefined ? [] : [() => wasKnownBy(through)]),
    ];
    return (row) => row.and(conditions.map((isMatch) => isMatch(row)));
  }

  /**
   * Selects the suppressed among the matches. They are few: these are looked up, and not every match among them. SQLite
   * executes a cross join in the written order.
   */
  const selectSuppressed = (read: Read, isMatch: Match) =>
    read
      .selectFrom("suppressions")
      .crossJoin("people")
      .whereRef("people.email_key", "=", "suppressions.email_key")
      .where(isMatch);

  async function count(audience: Audience) {
    const isMatch = await findMatch(audience);
    if (database.dialect === "sqlite") return countMatches(longRead, isMatch, audience.narrowing);
    return longRead.transaction().execute(async (trx) => {
      await sql`set local work_mem = ${sql.lit(COUNTING_MEMORY)}`.execute(trx);
      return countMatches(trx, isMatch, audience.narrowing);
    });
  }

  async function countMatches(read: Read, isMatch: Match, narrowing: Narrowing) {
    const { perDomain, limit = Number.MAX_SAFE_INTEGER } = narrowing;
    const total = await countRows(read.selectFrom("people").where(isMatch));
    const suppressed = await selectSuppressed(read, isMatch)
      .select(({ fn }) => [
        fn.countAll<number>().as("skipped"),
        sql<number>`coalesce(sum(case when reason = 'unsubscribed' then 1 else 0 end), 0)`.as("unsubscribed"),
      ])
      .executeTakeFirstOrThrow();
    const ofDomains = perDomain === undefined ? undefined : await countOfDomains(read, isMatch, perDomain);
    const { skipped, unsubscribed } = suppressed;
    const mailable = total - skipped;
    return {
      /** People who match. */
      total,
      /** Who match and are not suppressed. */
      mailable,
      skippedByReason: { unsubscribed, suppressed: skipped - unsubscribed },
      /** Who are chosen of these by the limits: the number that the operator reviews and confirms. */
      chosen: Math.min(limit, ofDomains ?? mailable),
    };
  }

  /** Counts the mailable matches, at most `perDomain` of each domain: all of a domain without its suppressed. */
  async function countOfDomains(read: Read, isMatch: Match, perDomain: number): Promise<number> {
    const matches = read
      .selectFrom("people")
      .select(["email_domain", sql.lit(1).as("one")])
      .where(isMatch);
    const suppressed = selectSuppressed(read, isMatch).select(["email_domain", sql.lit(-1).as("one")]);
    const domains = read
      .selectFrom(matches.unionAll(suppressed).as("each"))
      .select(({ fn }) => fn.sum<number>("one").as("people"))
      .groupBy("email_domain")
      .as("domains");
    const { chosen } = await read
      .selectFrom(domains)
      .select(
        sql<number>`coalesce(sum(case when people > ${perDomain} then ${perDomain} else people end), 0)`.as(
          "chosen",
        ),
      )
      .executeTakeFirstOrThrow();
    return Number(chosen);
  }

  /** Lists the ids of those who are chosen, at most `limit`. */
  async function listIds(audience: Audience, limit: number): Promise<string[]> {
    const { order, perDomain } = audience.narrowing;
    const isMatch = await findMatch(audience);
    const most = Math.min(limit, audience.narrowing.limit ?? limit);
    if (order !== "spread" && perDomain === undefined) {
      return (await choose(isMatch, audience.narrowing, { most, among: most })).ids;
    }
    // Ranks among the first in the order are those among all: where enough are found there, the others are not read.
    const first = await choose(isMatch, audience.narrowing, { most, among: maxFirst });
    const isEnough = first.ids.length === most && (order !== "spread" || first.maxRank === 1);
    if (isEnough) return first.ids;
    return (await choose(isMatch, audience.narrowing, { most, among: Number.MAX_SAFE_INTEGER })).ids;
  }

  /** Chooses `most` people among the first mailable matches in the order of age. */
  async function choose(
    isMatch: Match,
    { order, perDomain }: Narrowing,
    { most, among }: { most: number; among: number },
  ) {
    const direction = order === "newest" ? "desc" : "asc";
    const byAge = sql`id ${sql.raw(direction)}`;
    const inOrder = order === "spread" ? sql`rank, ${byAge}` : byAge;
    const matches = longRead
      .selectFrom("people")
      .select(["people.id", "email_domain"])
      .where(isMatch)
      .where(IS_MAILABLE)
      .orderBy("people.id", direction)
      .limit(among);
    const isRanked = order === "spread" || perDomain !== undefined;
    const rank = isRanked ? sql`row_number() over (partition by email_domain order by ${byAge})` : sql.lit(1);
    const isAllowed = perDomain === undefined ? sql`true` : sql`rank <= ${perDomain}`;
    // One text: as rows, a hundred thousand of them would block the event loop on their way from the thread.
    const { rows } = await sql<{ ids: string | null; rank: number | null }>`
      select string_agg(id, ',' order by ${inOrder}) as ids, max(rank) as rank from (
        select id, rank from (select id, ${rank} as rank from (${matches}) as matches) as ranked
        where ${isAllowed} order by ${inOrder} limit ${most}
      ) as chosen
    `.execute(longRead);
    const { ids, rank: maxRank } = rows[0] ?? {};
    return { ids: ids ? ids.split(",") : [], maxRank: Number(maxRank ?? 0) };
  }

  return {
    count,

    /** Returns when the newest person was first known; 0 without any. Epoch milliseconds. */
    async getNewestTime(): Promise<number> {
      const { id } = await longRead
        .selectFrom("people")
        .select(({ fn }) => fn.max("id").as("id"))
        .executeTakeFirstOrThrow();
      return id === null ? 0 : getUuidTime(id);
    },

    /** Lists the ids of those who are chosen, in their order: one more than MAX_AUDIENCE where there are more. */
    listIds: (audience: Audience, limit = MAX_AUDIENCE + 1) => listIds(audience, limit),

    /** Lists the first of those who are chosen, name and address as typed last. */
    async listFirst(audience: Audience, limit: number) {
      const ids = await listIds(audience, limit);
      if (ids.length === 0) return [];
      const rows = await longRead
        .selectFrom("people")
        .select(["id", "name", "email", "company", "role"])
        .where("id", "in", ids)
        .execute();
      return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
  };
}
