import { z } from "zod";
import { suppressionMessages } from "~/content/suppressions";
import { refuse, report } from "~/http/action-result.server";
import { readFormWithFile } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { emailField, parseForm, textField, typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { readAddressList } from "~/services/suppressions/suppression-list.server";

const copy = suppressionMessages.addPage;
/** Invalid lines quoted in the response. */
const MAX_SHOWN = 5;

const schema = z.object({
  address: emailField({ label: "the address" }),
  note: textField({ label: "the note", max: 200 }),
});

/** Adds one address, or all addresses of a text and a file. */
export async function actOnAdd(request: Request, person: SignedIn) {
  const { form, text } = await readFormWithFile(request, "file");
  const by = getActor(request, person);
  const { intent, list = "" } = typed(form);
  if (intent === "one") {
    const parsed = parseForm(schema, form);
    if (!parsed.ok) return refuse("one", parsed);
    const isNew = await suppressions.add(parsed.value.address, parsed.value.note, by);
    return reportAdded(isNew ? { added: 1, alreadyThere: 0 } : { added: 0, alreadyThere: 1 });
  }
  if (intent !== "many") return report(undefined, paths.suppressionsAdd);

  const { addresses, wrong, firstWrong } = await readAddressList([list, text]);
  const added = await suppressions.importAll(addresses, by);
  if (wrong === 0 && addresses.length > 0) return reportAdded(added);
  return refuse("many", {
    added,
    wrong,
    first: firstWrong.slice(0, MAX_SHOWN),
    kept: firstWrong.length,
    /** The field's text: the lines left to correct. */
    list: firstWrong.map((line) => line.text).join("\n"),
    error: wrong === 0 ? copy.nothingGiven : copy.stillWrong,
  });
}

export type RefusedAdd = Exclude<Awaited<ReturnType<typeof actOnAdd>>, Response>["data"];

/** Redirects with the result in the URL, so that a reload repeats the message and not the action. */
function reportAdded({ added, alreadyThere }: { added: number; alreadyThere: number }): Response {
  return report(undefined, paths.suppressionsAdd, { added: `${added}`, there: `${alreadyThere}` });
}
