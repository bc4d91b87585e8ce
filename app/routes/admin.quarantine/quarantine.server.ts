import { isUuid } from "~/lib/uuid";
import { report } from "~/http/action-result.server";
import { paths } from "~/paths";
import { quarantine } from "~/services/container.server";
import { toPage } from "~/http/list-state";
import { ACTIONS, quarantineList } from "./address";
import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { getActor } from "~/http/request-context.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { NoticeCode } from "~/content/notices";

/** The selection of a whole page must fit into a URL, which holds 2 KB (hardening R17). */
const PAGE_SIZE = 40;
/** Submissions that a question names. */
const MAX_NAMED = 5;

/**
 * Builds the page from its URL: `?form=` and `&reason=` filter, `&before=` is the page after that id, `&id=`
 * is selected, `&step=` asks before an action on the selection or, with `&through=`, on all that match up to
 * that id.
 */
export async function getQuarantineView(search: URLSearchParams) {
  const { values, filter } = quarantineList.readLoosely(search);
  const before = search.get("before") ?? undefined;
  const selected = search.getAll("id").filter(isUuid);
  const [counts, found, [newest], question] = await Promise.all([
    quarantine.counts(),
    quarantine.list(filter, { before, limit: PAGE_SIZE + 1 }),
    quarantine.list(filter, { limit: 1 }),
    getQuestion(search, selected),
  ]);
  return {
    values,
    counts,
    ...toPage(found, PAGE_SIZE),
    before,
    newest: newest && { id: newest.id, at: newest.created_at },
    selected,
    question,
    now: Date.now(),
  };
}

export type QuarantineView = Awaited<ReturnType<typeof getQuarantineView>>;

async function getQuestion(search: URLSearchParams, selected: string[]) {
  const { values, filter } = quarantineList.readLoosely(search);
  const action = ACTIONS.find((known) => known === search.get("step"));
  if (!action) return undefined;
  const through = search.get("through") ?? undefined;
  if (!through && selected.length === 0) throw report("nothing-selected", paths.quarantine, values);
  const { counts, newest } = await quarantine.preview(
    through ? { ...filter, through } : { ids: selected },
    MAX_NAMED,
  );
  if (newest.length === 0) throw report("already-settled", paths.quarantine, values);
  return { action, through, counts, named: newest.map(({ id, name, email }) => ({ id, name, email })) };
}

/** Releases or purges the selection or, with `through`, all that match up to that id. */
export async function actOnQuarantine(request: Request, person: SignedIn): Promise<Response> {
  const form = await readForm(request);
  const fields = typed(form);
  const { intent, before = "", through = "" } = fields;
  const { values, filter } = quarantineList.readLoosely(new URLSearchParams(fields));
  const at = (notice?: NoticeCode) =>
    report(notice, paths.quarantine, { ...values, before: isUuid(before) ? before : undefined });
  const action = ACTIONS.find((known) => known === intent);
  if (!action) return at();

  const ids = [form.id ?? []].flat();
  if (!through && ids.length === 0) return at("nothing-selected");
  const chosen = through ? { ...filter, through } : { ids };
  const changed = await quarantine[action](chosen, getActor(request, person));
  if (changed === 0) return at("already-settled");
  return at(action === "release" ? "released" : "purged");
}
