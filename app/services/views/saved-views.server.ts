import { sql, type Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { SavedViewsTable } from "~/db/tables/saved-views";
import { hasAddress, toAsciiAddress } from "~/lib/email-address";
import { likeLiteral } from "~/lib/like-literal";
import { isUuid } from "~/lib/uuid";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import type { PersonData } from "~/services/people/person-data";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";

/** Views that an account saves of a list; those it takes over from a removed account come on top. */
export const MAX_VIEWS = 50;
/** Of a view's name, in characters. */
export const VIEW_NAME_MAX_LENGTH = 60;
/** Of a list's search, in characters: with the path it fits into a URL of 2 KB (hardening R17). */
export const VIEW_QUERY_MAX_LENGTH = 1500;

type Operator = Pick<SignedIn, "accountId" | "role">;

export interface ViewContent {
  readonly name: string;
  readonly isShared: boolean;
}

export interface SavedView extends ViewContent {
  readonly id: string;
  readonly list: string;
  readonly query: string;
  /** Address of its maker; null once the account was removed. */
  readonly by: string | null;
  /** Epoch milliseconds. */
  readonly changed_at: number;
  /** The operator made it. */
  readonly isOwn: boolean;
  /** Its maker and, once it is shared, superadmins may. */
  readonly canChange: boolean;
}

/**
 * "name-taken": its maker has another view of this list with the name, in whatever case. "too-many": its maker has
 * MAX_VIEWS of this list. "too-long": the query is longer than VIEW_QUERY_MAX_LENGTH.
 */
type ViewSaving = { ok: true } | { ok: false; error: "name-taken" | "too-many" | "too-long" };
/** "gone": deleted meanwhile, or another's. "name-taken" and "too-long": see ViewSaving. */
type ViewChange = { ok: true } | { ok: false; error: "gone" | "name-taken" | "too-long" };

/** Creates the operations on saved views: the filter and order of a list, under a name. */
export function createSavedViews(deps: ServiceDeps) {
  const { database, clock, newId } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  return {
    /** Lists the operator's own views and the shared ones by name: of one list, or of all. */
    async list(operator: Operator, list?: string): Promise<SavedView[]> {
      const rows = await read
        .selectFrom("saved_views as view")
        .leftJoin("accounts", "accounts.id", "view.created_by")
        .selectAll("view")
        .select("accounts.email as by")
        .$if(list !== undefined, (query) => query.where("list", "=", list ?? ""))
        .where(({ or, eb }) => or([eb("is_shared", "=", 1), eb("created_by", "=", operator.accountId)]))
        .orderBy("name_key")
        .orderBy("view.id")
        .execute();
      return rows.map(({ id, list, name, query, is_shared, created_by, by, changed_at }) => ({
        id,
        list,
        name,
        query,
        isShared: is_shared === 1,
        by,
        changed_at,
        isOwn: created_by === operator.accountId,
        canChange: canChange({ is_shared, created_by }, operator),
      }));
    },

    /**
     * Saves a view. The same one saved again, as by a form that is sent twice, is the one that is there.
     * @param query the list's search as its own parser writes it; not empty.
     */
    save(
      { list, query, name, isShared }: ViewContent & Pick<SavedView, "list" | "query">,
      operator: Operator,
      actor: Actor,
    ): Promise<ViewSaving> {
      return database.write(async (trx): Promise<ViewSaving> => {
        if (query.length > VIEW_QUERY_MAX_LENGTH) return { ok: false, error: "too-long" };
        const owner = operator.accountId;
        await lockViews(trx, owner);
        const namesake = await findNamesake(trx, { owner, list, name });
        const is_shared = isShared ? 1 : 0;
        if (namesake && namesake.query === query && namesake.is_shared === is_shared) return { ok: true };
        if (namesake) return { ok: false, error: "name-taken" };
        const owned = trx.selectFrom("saved_views").where("created_by", "=", owner).where("list", "=", list);
        if ((await countRows(owned)) >= MAX_VIEWS) return { ok: false, error: "too-many" };
        const now = clock();
        await trx
          .insertInto("saved_views")
          .values({
            id: newId(),
            list,
            name,
            name_key: toNameKey(name),
            query,
            is_shared,
            created_by: owner,
            created_at: now,
            changed_at: now,
          })
          .execute();
        if (isShared) await audit(trx, actor, { action: "share-view", subject: name });
        return { ok: true };
      });
    },

    /**
     * Changes a view's name, who sees it, or its query. A view that outlived its maker's account becomes the operator's
     * own when it is shared no longer.
     * @param change.list given with a query: the list that the query is of.
     */
    change(
      id: string,
      change: Partial<ViewContent & Pick<SavedView, "list" | "query">>,
      operator: Operator,
      actor: Actor,
    ): Promise<ViewChange> {
      return database.write(async (trx): Promise<ViewChange> => {
        if ((change.query?.length ?? 0) > VIEW_QUERY_MAX_LENGTH) return { ok: false, error: "too-long" };
        const found = await findChangeable(trx, id, operator);
        if (!found || found.list !== (change.list ?? found.list)) return { ok: false, error: "gone" };
        await lockViews(trx, found.created_by ?? operator.accountId);
        const known = await findChangeable(trx, id, operator, { isLocked: true });
        if (!known) return { ok: false, error: "gone" };
        const { name = known.name, query = known.query } = change;
        const is_shared = change.isShared === undefined ? known.is_shared : change.isShared ? 1 : 0;
        if (name === known.name && query === known.query && is_shared === known.is_shared)
          return { ok: true };
        const owner = known.created_by ?? (is_shared === 0 ? operator.accountId : null);
        const namesake = owner === null ? undefined : await findNamesake(trx, { ...known, owner, name });
        if (namesake && namesake.id !== id) return { ok: false, error: "name-taken" };
        await trx
          .updateTable("saved_views")
          .set({
            name,
            name_key: toNameKey(name),
            query,
            is_shared,
            created_by: owner,
            changed_at: clock(),
          })
          .where("id", "=", id)
          .execute();
        const action = getAction(known.is_shared, is_shared);
        if (action) await audit(trx, actor, { action, subject: name });
        return { ok: true };
      });
    },

    /** Deletes a view for good. @returns false when it is gone or another's. */
    remove(id: string, operator: Operator, actor: Actor): Promise<boolean> {
      return database.write(async (trx) => {
        const known = await findChangeable(trx, id, operator);
        if (!known) return false;
        await trx.deleteFrom("saved_views").where("id", "=", id).execute();
        if (known.is_shared) await audit(trx, actor, { action: "delete-view", subject: known.name });
        return true;
      });
    },
  };
}

/** Removes the views that an account alone sees, before it is removed; shared ones stay, and superadmins change them. */
export async function removeOwnViews(trx: Write, accountId: string): Promise<void> {
  await trx
    .deleteFrom("saved_views")
    .where("created_by", "=", accountId)
    .where("is_shared", "=", 0)
    .execute();
}

type StoredView = Selectable<SavedViewsTable>;

function canChange(view: Pick<StoredView, "is_shared" | "created_by">, operator: Operator): boolean {
  if (view.created_by === operator.accountId) return true;
  return view.is_shared === 1 && operator.role === "superadmin";
}

/** The activity has what concerns others: of a view that its maker alone sees it has nothing. */
function getAction(before: StoredView["is_shared"], after: StoredView["is_shared"]) {
  if (after === 1) return before === 1 ? "change-view" : "share-view";
  return before === 1 ? "unshare-view" : undefined;
}

/** Locks the account, so that of two new views the second sees the first one's name, and the number of both. */
async function lockViews(trx: Write, accountId: string): Promise<void> {
  await trx.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
}

async function findChangeable(
  trx: Write,
  id: string,
  operator: Operator,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<StoredView | undefined> {
  if (!isUuid(id)) return undefined;
  const view = await trx
    .selectFrom("saved_views")
    .selectAll()
    .where("id", "=", id)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  return view && canChange(view, operator) ? view : undefined;
}

function findNamesake(trx: Write, { owner, list, name }: { owner: string; list: string; name: string }) {
  return trx
    .selectFrom("saved_views")
    .selectAll()
    .where("created_by", "=", owner)
    .where("list", "=", list)
    .where("name_key", "=", toNameKey(name))
    .executeTakeFirst();
}

const toNameKey = (name: string) => name.toLowerCase();

/** Views that filter by a person's address, or are named after it. Such a view is erased as a whole. */
export const viewsPersonData: PersonData = {
  name: "savedViews",
  columns: { saved_views: ["name", "name_key", "query"] },

  async export(read, emailKey) {
    const views = await listNaming(read, emailKey);
    return views.map(({ list, name, query }) => ({ list, name, query }));
  },

  async erase(trx, emailKey) {
    const ids = (await listNaming(trx, emailKey)).map(({ id }) => id);
    if (ids.length > 0) await trx.deleteFrom("saved_views").where("id", "in", ids).execute();
  },
};

/** What stands between signs that no host name has: an address, or the end of one. */
const ADDRESS_PART = /[^\s\0-,/:-?[-`{-\x7f]+/gu;

/** Lists the views with an address in their name or query, where its domain may be as it was typed. */
async function listNaming(read: Read | Write, emailKey: string): Promise<StoredView[]> {
  const views = await read
    .selectFrom("saved_views")
    .selectAll()
    .where(({ or }) =>
      or([
        sql<boolean>`query like ${`%${likeLiteral(encodeURIComponent("@"))}%`} escape '!'`,
        sql<boolean>`name_key like '%@%'`,
      ]),
    )
    .orderBy("id")
    .execute();
  return views.filter(({ name, query }) =>
    [name, ...new URLSearchParams(query).values()]
      .map((text) => text.replace(ADDRESS_PART, toAsciiAddress))
      .some((text) => hasAddress(text, emailKey)),
  );
}
