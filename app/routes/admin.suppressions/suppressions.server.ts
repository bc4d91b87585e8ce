import { z } from "zod";
import type { NoticeCode } from "~/content/notices";
import { suppressionMessages } from "~/content/suppressions";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { anyText, listState, oneOf, toPage, type ValuesOf } from "~/http/list-state";
import { getActor } from "~/http/request-context.server";
import { emailKey } from "~/lib/email-address";
import { parseForm, textField, typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { paths } from "~/paths";
import { people, suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { SUPPRESSION_REASONS } from "~/services/suppressions/suppression-reasons";

const MAX_PREFIX_LENGTH = 100;

/** Filters by reason and by the start of the address. */
export const suppressionsList = listState(
  {
    reason: oneOf(SUPPRESSION_REASONS),
    prefix: {
      ...anyText,
      clean: (typed: string) => emailKey(typed).toWellFormed().slice(0, MAX_PREFIX_LENGTH),
    },
  },
  (filter) => filter,
);
type SuppressionValues = ValuesOf<typeof suppressionsList>;

/** The selection of a whole page must fit into a URL, which holds 2 KB (hardening R17). */
const PAGE_SIZE = 40;
/** Addresses that a question names. */
const MAX_NAMED = 8;

/**
 * Builds the page from its URL: `?reason=` and `&prefix=` filter, `&before=` is the page after that id,
 * `&id=` is selected, `&step=release` asks before the selection is released.
 */
export async function getSuppressionsView(search: URLSearchParams) {
  const { values, filter } = suppressionsList.readLoosely(search);
  const before = search.get("before") ?? undefined;
  const selected = search.getAll("id").filter(isUuid);
  const [found, question] = await Promise.all([
    suppressions.list(filter, { before, limit: PAGE_SIZE + 1 }),
    search.get("step") === "release" ? getQuestion(selected, values) : undefined,
  ]);
  const persons = await people.findIds(found.map(({ address }) => address));
  const { rows, ...page } = toPage(found, PAGE_SIZE, before);
  return {
    values,
    rows: rows.map((row) => ({ ...row, person: persons.get(emailKey(row.address)) })),
    ...page,
    before,
    selected,
    question,
    now: Date.now(),
  };
}

export type SuppressionsView = Awaited<ReturnType<typeof getSuppressionsView>>;

async function getQuestion(selected: readonly string[], values: SuppressionValues) {
  if (selected.length === 0) throw report("no-suppression-selected", paths.suppressions, values);
  const chosen = await suppressions.listByIds(selected);
  if (chosen.length === 0) throw report("suppressions-gone", paths.suppressions, values);
  // Addresses that need a reason come first.
  const named = chosen
    .toSorted((a, b) => Number(b.optedOut) - Number(a.optedOut))
    .slice(0, MAX_NAMED)
    .map(({ id, address, reason }) => ({ id, address, reason }));
  return { total: chosen.length, optedOut: chosen.filter((row) => row.optedOut).length, named };
}

const schema = z.object({ because: textField({ label: "the reason", max: 200 }) });

/** Releases the selection once the question is answered; the URL is the question's. */
export async function actOnSuppressions(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? "";
  const { values } = suppressionsList.readLoosely(searchParams);
  const redirect = (notice?: NoticeCode) =>
    report(notice, paths.suppressions, { ...values, before: isUuid(before) ? before : undefined });
  if (typed(form).intent !== "release") return redirect();

  const ids = [form.id ?? []].flat();
  if (ids.length === 0) return redirect("no-suppression-selected");
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse("release", { because: parsed.values.because, error: parsed.errors.because });
  const { because } = parsed.value;
  const outcome = await suppressions.release(ids, because, getActor(request, person));
  if (!outcome.ok) return refuse("release", { because, error: suppressionMessages.becauseMissing });
  return redirect(outcome.released > 0 ? "suppressions-released" : "suppressions-gone");
}
