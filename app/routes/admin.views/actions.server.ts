import { z } from "zod";
import type { NoticeCode } from "~/content/notices";
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
export async function actOnViews(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent, view = "", name = "", share } = firstValues(form);
  const { list, values, query, state } = readShown(new URL(request.url).searchParams);
  const actor = getActor(request, operator);
  const parsed = parseForm(viewSchema, form);
  const isShared = share === "on";

  switch (intent) {
    case "delete": {
      const isDeleted = await savedViews.remove(view, operator, actor);
      return toViews(isDeleted ? "view-deleted" : "view-gone");
    }
    case "change": {
      if (!parsed.ok) return refuseView(422, parsed.errors);
      const outcome = await savedViews.change(view, { name: parsed.value.name, isShared }, operator, actor);
      return outcome.ok ? toViews("view-changed") : toRefusal(outcome.error);
    }
    case "update": {
      if (!list || query === "") return toViews();
      const outcome = await savedViews.change(view, { list: list.path, query }, operator, actor);
      if (outcome.ok) return report("view-updated", list.path, values);
      return outcome.error === "too-long" ? refuseView(422, {}, copy.tooLong) : toViews("view-gone");
    }
    case "save": {
      if (!list || query === "") return toViews();
      if (!parsed.ok) return refuseView(422, parsed.errors);
      const saved = { list: list.path, query, name: parsed.value.name, isShared };
      const outcome = await savedViews.save(saved, operator, actor);
      return outcome.ok ? report("view-saved", list.path, values) : toRefusal(outcome.error);
    }
    default:
      return toViews();
  }

  function toViews(notice?: NoticeCode) {
    return report(notice, paths.savedViews, state);
  }

  function toRefusal(error: "gone" | "name-taken" | "too-many" | "too-long") {
    if (error === "gone") return toViews("view-gone");
    if (error === "name-taken") return refuseView(409, { name: copy.nameTaken });
    return refuseView(409, {}, error === "too-many" ? copy.tooMany : copy.tooLong);
  }

  function refuseView(status: 409 | 422, errors: { name?: string }, message?: string) {
    return refuse("view", { name, isShared, errors, message }, { status });
  }
}
