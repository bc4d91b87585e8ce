import { z } from "zod";
import type { NoticeCode } from "~/content/notices";
import { suppressionMessages } from "~/content/suppressions";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { readPage, readPlace, type Place, type ValuesOf } from "~/http/list-state";
import { suppressionsList } from "~/http/lists/suppressions-list";
import { getActor } from "~/http/request-context.server";
import { emailKey } from "~/lib/email-address";
import { allValues, firstValues, parseForm, textField } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { paths } from "~/paths";
import { people, suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

type SuppressionValues = ValuesOf<typeof suppressionsList>;

/** The selection of a whole page must fit into a URL, which holds 2 KB (hardening R17). */
const PAGE_SIZE = 40;
/** Addresses that a question names. */
const MAX_NAMED = 8;

/**
 * Builds the page from its URL: `?reason=` and `&prefix=` filter, `&sort=` and `&order=` sort, `&before=` and
 * `&after=` are pages, `&id=` is selected, `&step=release` asks before the selection is released.
 */
export async function getSuppressionsView(search: URLSearchParams) {
  const { values, filter: filterAndOrder } = suppressionsList.readLoosely(search);
  const { filter, order } = filterAndOrder;
  const selected = search.getAll("id").filter(isUuid);
  const [{ rows, ...page }, question] = await Promise.all([
    readPage(readPlace(search), PAGE_SIZE, (at) => suppressions.list(filter, at, order), order.direction),
    search.get("step") === "release" ? getQuestion(selected, { ...values, ...readPlace(search) }) : undefined,
  ]);
  const personIds = await people.findIds(rows.map(({ address }) => address));
  return {
    values,
    rows: rows.map((row) => ({ ...row, person: personIds.get(emailKey(row.address)) })),
    ...page,
    selected,
    question,
    now: Date.now(),
  };
}

export type SuppressionsView = Awaited<ReturnType<typeof getSuppressionsView>>;

/** @param list the filter, order and place of the list below the question. */
async function getQuestion(selected: readonly string[], list: SuppressionValues & Place) {
  if (selected.length === 0) throw report("no-suppression-selected", paths.suppressions, list);
  const chosen = await suppressions.listByIds(selected);
  if (chosen.length === 0) throw report("suppressions-gone", paths.suppressions, list);
  // Those who opted out come first: their release needs a reason.
  const named = chosen
    .toSorted((a, b) => Number(b.optedOut) - Number(a.optedOut))
    .slice(0, MAX_NAMED)
    .map(({ id, address, reason }) => ({ id, address, reason }));
  return { total: chosen.length, optedOut: chosen.filter((row) => row.optedOut).length, named };
}

/** The answer to the question. The reason may be empty: the service knows whether somebody had opted out. */
const releaseForm = z.object({ because: textField({ label: "the reason", max: 200 }) });

/**
 * Releases the selection once the question is answered. The form goes to the question's own URL: after a refusal the
 * question is asked again, and after a release the list has the same filter, order and page.
 */
export async function actOnSuppressions(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { searchParams } = new URL(request.url);
  const { values } = suppressionsList.readLoosely(searchParams);
  const reportHere = (notice?: NoticeCode, count?: number) =>
    report(notice, paths.suppressions, { ...values, ...readPlace(searchParams), count });
  if (firstValues(form).intent !== "release") return reportHere();

  const ids = allValues(form, "id");
  if (ids.length === 0) return reportHere("no-suppression-selected");
  const parsed = parseForm(releaseForm, form);
  if (!parsed.ok) return refuse("release", { because: parsed.values.because, error: parsed.errors.because });
  const { because } = parsed.value;
  const isAsked = firstValues(form).because !== undefined;
  const outcome = await suppressions.release(ids, because, getActor(request, operator));
  if (!outcome.ok) {
    if (isAsked) return refuse("release", { because, error: suppressionMessages.becauseMissing });
    // Somebody opted out since: the question is asked again, with the field for the reason.
    const question = { ...values, ...readPlace(searchParams), step: "release", id: ids };
    return report(undefined, paths.suppressions, question);
  }
  return reportHere(outcome.released > 0 ? "suppressions-released" : "suppressions-gone", outcome.released);
}
