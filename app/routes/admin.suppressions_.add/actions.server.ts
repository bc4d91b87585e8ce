import { data } from "@remix-run/node";
import { z } from "zod";
import { readFormWithFile } from "~/http/form-data.server";
import { emailField, parseForm, textField, typed } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { readAddressList } from "~/services/suppressions/suppression-list.server";

const copy = operatorMessages.suppressions.addPage;
/** Of the lines that are no address and come back to be corrected. */
const SHOWN = 5;

const schema = z.object({
  address: emailField({ label: "the address" }),
  note: textField({ label: "the note", max: 200 }),
});

export interface AddAnswer {
  readonly one?: {
    readonly values: { address: string; note: string };
    readonly errors: { address?: string; note?: string };
  };
  readonly many?: {
    /** Left out when nothing was given. */
    readonly added?: { readonly added: number; readonly alreadyThere: number };
    readonly wrong: number;
    readonly first: readonly { line: number; text: string }[];
    /** For the field: what is left to correct. */
    readonly list: string;
    readonly kept: number;
    readonly error: string;
  };
}

/** One address, or all that a text and a file hold. */
export async function actOnAdd(request: Request, person: SignedIn) {
  const { form, text } = await readFormWithFile(request, "file");
  const by = { by: person.email, ...originOf(request) };
  const { intent, list = "" } = typed(form);
  if (intent === "one") {
    const parsed = parseForm(schema, form);
    if (!parsed.ok) return refuse({ one: parsed });
    const isNew = await suppressions.add(parsed.value.address, parsed.value.note, by);
    return seeOther(doneAt(isNew ? { added: 1, alreadyThere: 0 } : { added: 0, alreadyThere: 1 }));
  }
  if (intent !== "many") return seeOther(paths.suppressionsAdd);

  const { addresses, wrong, firstWrong } = await readAddressList([list, text]);
  if (addresses.length === 0 && wrong === 0) {
    return refuse({ many: { wrong: 0, first: [], list: "", kept: 0, error: copy.nothingGiven } });
  }
  const added = await suppressions.importAll(addresses, by);
  if (wrong === 0) return seeOther(doneAt(added));
  return refuse({
    many: {
      added,
      wrong,
      first: firstWrong.slice(0, SHOWN),
      kept: firstWrong.length,
      list: firstWrong.map((line) => line.text).join("\n"),
      error: copy.stillWrong,
    },
  });
}

/** How it ended stands in the URL, so that a reload says it again and does nothing. */
function doneAt({ added, alreadyThere }: { added: number; alreadyThere: number }): string {
  return `${paths.suppressionsAdd}?${new URLSearchParams({ added: `${added}`, there: `${alreadyThere}` })}`;
}

function refuse(answer: AddAnswer) {
  return data(answer, { status: 422 });
}
