import { sql } from "kysely";
import { fetchPage } from "~/db/rows";
import type { AuditTable } from "~/db/tables/accounts";
import type { ListPage } from "~/lib/list-page";
import { readInBatches } from "~/lib/read-in-batches";
import { isUuid, getLeastUuid } from "~/lib/uuid";
import type { ServiceDeps } from "~/services/service-deps";
import type { AuditAction } from "./actions";
import { createAudit, type Actor } from "./audit.server";

/** Filter of the activity list; a property left out does not filter. */
export interface ActivityFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: AuditTable["outcome"] | undefined;
  /** Epoch milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number | undefined;
}

type Activity = ReturnType<typeof createActivity>;
/** An audit entry as people read it. Its action may be one that a newer version of this program recorded. */
export type ActivityEntry = Awaited<ReturnType<Activity["list"]>>[number];

type ExportAction = Extract<AuditAction, `export-${string}`>;

/** Rows an export reads at a time: less than 1 MB, and a few milliseconds of the database. */
const BATCH = 1000;

/** Reads the audit for people, and adds the entries of exports. Nothing here changes or removes an entry. */
export function createActivity(deps: ServiceDeps) {
  const { read } = deps.database;

  /** Lists entries newest first. */
  async function list(filter: ActivityFilter, page: ListPage) {
    const { actor, action, outcome, from, until } = filter;
    let query = read
      .selectFrom("audit")
      .select(["id", "at", "actor", "action", "subject", "outcome", "network"])
      .select(["request_id as requestId", "content_hash as contentHash"]);
    if (actor !== undefined) query = query.where("actor", "=", actor);
    if (action !== undefined) query = query.where("action", "=", action);
    if (outcome !== undefined) query = query.where("outcome", "=", outcome);
    if (from !== undefined) query = query.where("id", ">=", getLeastUuid(from));
    if (until !== undefined) query = query.where("id", "<", getLeastUuid(until));
    const rows = await fetchPage(query, page);
    const titles = await findTitles(rows.map((row) => row.subject));
    return rows.map((row) => {
      const { title, isBroadcast = false } = titles.get(row.subject) ?? {};
      // The title of the campaign or broadcast that the action concerned, while it exists.
      return { ...row, subjectTitle: title, isBroadcast };
    });
  }

  /** Finds the titles of those subjects that are campaigns or broadcasts. */
  async function findTitles(subjects: readonly string[]) {
    const ids = [...new Set(subjects.filter(isUuid))];
    const list = async (table: "campaigns" | "broadcasts") => {
      const rows = await read.selectFrom(table).select(["id", "title"]).where("id", "in", ids).execute();
      return rows.map(({ id, title }) => [id, { title, isBroadcast: table === "broadcasts" }] as const);
    };
    const tables = ids.length === 0 ? [] : [list("campaigns"), list("broadcasts")];
    return new Map((await Promise.all(tables)).flat());
  }

  return {
    list,

    /** Lists all actors by name, jumping from one to the next in the index. */
    async actors(): Promise<string[]> {
      const { rows } = await sql<{ actor: string }>`
        with recursive known(actor) as (
          select min(actor) from audit
          union all
          select (select min(actor) from audit where audit.actor > known.actor) from known where known.actor is not null
        )
        select actor from known where actor is not null
      `.execute(read);
      return rows.map((row) => row.actor);
    },

    /** Yields all matching entries in batches, newest first, like `readInBatches`. */
    batches: (filter: ActivityFilter) =>
      readInBatches(BATCH, (last: { id: string } | undefined) =>
        list(filter, { before: last?.id, limit: BATCH }),
      ),

    /** Records an export before the person gets it. @param subject the filter of a list, or the name of an imported file. */
    async recordExport(action: ExportAction, subject: string, actor: Actor): Promise<void> {
      await deps.database.write((trx) => createAudit(deps)(trx, actor, { action, subject }));
    },
  };
}
