import { z } from "zod";
import { readForm } from "~/http/form-data.server";
import { parseForm, textField, typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { operatorMessages } from "~/content/operator-messages";
import type { NoticeCode } from "~/content/operator-messages";
import { refuse, report } from "~/http/action-result.server";
import { paths } from "~/paths";
import { originOf } from "~/http/request-context.server";
import { suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { suppressionsList } from "./address";

const schema = z.object({ because: textField({ label: "the reason", max: 200 }) });

/** Releases what was ticked, once its question is answered; the URL is the question's. */
export async function actOnSuppressions(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? "";
  const { values } = suppressionsList.readLoosely(searchParams);
  const at = (notice?: NoticeCode) =>
    report(notice, paths.suppressions, { ...values, before: isUuid(before) ? before : undefined });
  if (typed(form).intent !== "release") return at();

  const ids = [form.id ?? []].flat();
  if (ids.length === 0) return at("no-suppression-ticked");
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse("release", { because: parsed.values.because, error: parsed.errors.because });
  const { because } = parsed.value;
  const outcome = await suppressions.release(ids, because, { by: person.email, ...originOf(request) });
  if (!outcome.ok) {
    return refuse("release", { because, error: operatorMessages.suppressions.becauseMissing });
  }
  return at(outcome.released > 0 ? "suppressions-released" : "suppressions-gone");
}
