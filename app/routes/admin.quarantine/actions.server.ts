import { readForm } from "~/form-data.server";
import { typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { quarantine } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { DEEDS, quarantineAt } from "./address";
import { filterOf } from "./quarantine-view.server";

/** Releases or purges what is ticked or, with `through`, all that match up to that id. */
export async function actOnQuarantine(request: Request, person: SignedIn): Promise<Response> {
  const form = await readForm(request);
  const { intent, form: kind, reason, before = "", through = "" } = typed(form);
  const filter = filterOf(kind, reason);
  const place = { ...filter, before: isUuid(before) ? before : undefined };
  const deed = DEEDS.find((known) => known === intent);
  if (!deed) return seeOther(quarantineAt(place));

  const ids = [form.id ?? []].flat();
  if (!through && ids.length === 0) return seeOther(quarantineAt({ ...place, notice: "nothing-ticked" }));
  const settled = await quarantine[deed](through ? { ...filter, through } : { ids }, {
    by: person.email,
    ...originOf(request),
  });
  if (settled === 0) return seeOther(quarantineAt({ ...place, notice: "already-settled" }));
  return seeOther(quarantineAt({ ...place, notice: deed === "release" ? "released" : "purged" }));
}
