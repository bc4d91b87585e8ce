import { z } from "zod";
import { savedViewMessages as copy } from "~/content/saved-views";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { toSearch } from "~/http/list-state";
import { findSavedList } from "~/http/lists/saved-lists";
import { getActor } from "~/http/request-context.server";
import { firstValues, parseForm, textField } from "~/lib/parse-form";
import { paths } from "~/paths";
import { savedViews } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { VIEW_NAME_MAX_LENGTH } from "~/services/views/saved-views.server";

const viewSchema = z.object({
  name: textField({ label: "the name", max: VIEW_NAME_MAX_LENGTH, required: true }),
  share: textField({ label: "who may use it", max: 2 }),
});

/**
 * Reads the screen's URL: `?list=` is the path of a list, whose filter and order stand beside it under their own names.
 * @returns `state` that a link to the screen keeps; `query` is empty where nothing filters or orders.
 */
export function readShown(search: URLSearchParams) {
  const list = findSavedList(search.get("list") ?? "");
  const values = list?.read(search) ?? {};
  return { list, values, query: toSearch(values), state: { list: list?.path, ...values } };
}

/** Saves what the URL shows as a view; changes, updates or deletes one. */
export async function actOnViews(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent, view = "", name = "", share } = firstValues(form);
  const { list, values, query, state } = readShown(new URL(request.url).searchParams);
  const actor = getActor(request, person);
  if (intent === "delete") {
    const isDeleted = await savedViews.remove(view, person, actor);
    return report(isDeleted ? "view-deleted" : "view-gone", paths.savedViews, state);
  }
  const canSave = list !== undefined && query !== "";
  if (intent === "update" && canSave) {
    const outcome = await savedViews.change(view, { list: list.path, query }, person, actor);
    if (outcome.ok) return report("view-updated", list.path, values);
    return outcome.error === "too-long"
      ? refuse("view", { name: "", isShared: false, errors: {}, message: copy.tooLong })
      : report("view-gone", paths.savedViews, state);
  }
  if (intent !== "change" && !(intent === "save" && canSave))
    return report(undefined, paths.savedViews, state);

  const parsed = parseForm(viewSchema, form);
  const isShared = share === "on";
  const refuseView = (errors: { name?: string }, message?: string, status = 409) =>
    refuse("view", { name, isShared, errors, message }, { status });
  if (!parsed.ok) return refuseView(parsed.errors, undefined, 422);
  const content = { name: parsed.value.name, isShared };
  const outcome =
    intent === "save" && list
      ? await savedViews.save({ ...content, list: list.path, query }, person, actor)
      : await savedViews.change(view, content, person, actor);
  if (outcome.ok) {
    return intent === "save" && list
      ? report("view-saved", list.path, values)
      : report("view-changed", paths.savedViews, state);
  }
  if (outcome.error === "name-taken") return refuseView({ name: copy.nameTaken });
  if (outcome.error === "gone") return report("view-gone", paths.savedViews, state);
  return refuseView({}, outcome.error === "too-many" ? copy.tooMany : copy.tooLong);
}
