import type { NoticeCode } from "~/content/notices";
import { allValues, type FormValues } from "~/lib/parse-form";
import type { Actor } from "~/services/audit/audit.server";
import type { createInquiries } from "~/services/inquiries/inquiries.server";

/** Ids of inquiries to mark as answered, and to open again. */
type Marks = Readonly<Record<"answer" | "reopen", readonly string[]>>;

/**
 * Reads what a form asks of inquiries: of one by its id in `answer` or `reopen`, of those in `id` by the intent of that
 * name. Undefined when it asks for something else.
 */
export function readMarks(form: FormValues): Marks | undefined {
  const { intent } = form;
  if (intent === "answer") return { answer: allValues(form, "id"), reopen: [] };
  if (intent === "reopen") return { answer: [], reopen: allValues(form, "id") };
  const marks = { answer: allValues(form, "answer"), reopen: allValues(form, "reopen") };
  return marks.answer.length + marks.reopen.length > 0 ? marks : undefined;
}

/** Marks inquiries as answered, or opens them again. @returns the notice that reports it. */
export async function actOnInquiries(
  inquiries: Pick<ReturnType<typeof createInquiries>, "answer" | "reopen">,
  { answer, reopen }: Marks,
  actor: Actor,
): Promise<NoticeCode> {
  if (answer.length + reopen.length === 0) return "no-inquiry-selected";
  if ((await inquiries.answer(answer, actor)) > 0) return "inquiries-answered";
  return (await inquiries.reopen(reopen, actor)) > 0 ? "inquiries-opened" : "inquiries-unchanged";
}
