import { data } from "@remix-run/node";
import { z } from "zod";
import { readFormWithFile } from "~/form-data.server";
import { readAddresses } from "~/lib/address-list";
import { emailField, parseForm, textField, typed } from "~/lib/parse-form";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { suppressions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const copy = operatorMessages.suppressions.addPage;
/** How many lines that are no address come back to be corrected, and how much of each. */
const KEPT = 200;
const LONGEST_LINE = 300;
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

  const read = [readAddresses(list), readAddresses(text)];
  const addresses = read.flatMap((one) => one.addresses);
  const wrong = read.flatMap((one) => one.wrong);
  if (addresses.length === 0 && wrong.length === 0) {
    return refuse({ many: { wrong: 0, first: [], list: "", kept: 0, error: copy.nothingGiven } });
  }
  const added = await suppressions.importAll(addresses, by);
  if (wrong.length === 0) return seeOther(doneAt(added));
  const kept = wrong.slice(0, KEPT).map((one) => ({ ...one, text: one.text.slice(0, LONGEST_LINE) }));
  return refuse({
    many: {
      ...{ added, wrong: wrong.length, first: kept.slice(0, SHOWN), kept: kept.length },
      list: kept.map((one) => one.text).join("\n"),
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
