import { data } from "@remix-run/node";
import { z } from "zod";
import { readForm } from "~/form-data.server";
import { parseForm, textField, typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { operatorMessages } from "~/operator-messages";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { filterIn, suppressionsAt } from "./address";

const schema = z.object({ because: textField({ label: "the reason", max: 200 }) });

/** Releases what was ticked, once its question is answered; the URL is the question's. */
export async function actOnSuppressions(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? "";
  const place = { ...filterIn(searchParams), before: isUuid(before) ? before : undefined };
  if (typed(form).intent !== "release") return seeOther(suppressionsAt(place));

  const ids = [form.id ?? []].flat();
  if (ids.length === 0) return seeOther(suppressionsAt({ ...place, notice: "no-suppression-ticked" }));
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return refuse(parsed.values.because, parsed.errors.because);
  const { because } = parsed.value;
  const outcome = await suppressions.release(ids, because, { by: person.email, ...originOf(request) });
  if (!outcome.ok) return refuse(because, operatorMessages.suppressions.becauseMissing);
  const notice = outcome.released > 0 ? "suppressions-released" : "suppressions-gone";
  return seeOther(suppressionsAt({ ...place, notice }));
}

function refuse(because: string, error: string | undefined) {
  return data({ because, error }, { status: 422 });
}
