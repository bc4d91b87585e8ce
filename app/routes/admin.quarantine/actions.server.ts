import { readForm } from "~/http/form-data.server";
import { typed } from "~/lib/parse-form";
import { isUuid } from "~/lib/uuid";
import { report } from "~/http/action-result.server";
import { originOf } from "~/http/request-context.server";
import { quarantine } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { NoticeCode } from "~/content/operator-messages";
import { paths } from "~/paths";
import { DEEDS, quarantineList } from "./address";

/** Releases or purges what is ticked or, with `through`, all that match up to that id. */
export async function actOnQuarantine(request: Request, person: SignedIn): Promise<Response> {
  const form = await readForm(request);
  const fields = typed(form);
  const { intent, before = "", through = "" } = fields;
  const { values, filter } = quarantineList.readLoosely(new URLSearchParams(fields));
  const at = (notice?: NoticeCode) =>
    report(notice, paths.quarantine, { ...values, before: isUuid(before) ? before : undefined });
  const deed = DEEDS.find((known) => known === intent);
  if (!deed) return at();

  const ids = [form.id ?? []].flat();
  if (!through && ids.length === 0) return at("nothing-ticked");
  const settled = await quarantine[deed](through ? { ...filter, through } : { ids }, {
    by: person.email,
    ...originOf(request),
  });
  if (settled === 0) return at("already-settled");
  return at(deed === "release" ? "released" : "purged");
}
