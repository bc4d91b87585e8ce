import { getUnansweredUser } from "~/components/users/unanswered-user";
import { outreachMessages as copy } from "~/content/outreach";

/** Returns what a form of the dashboard shows when no answer came (app/components/keep-form.ts). */
export function getUnanswered(values: Record<string, string>) {
  if (values.intent === "add") return getUnansweredUser(values);
  // The dialog shows it.
  if (values.intent === "confirm") return { message: copy.failed };
  return { form: "draft", draftId: values.draft };
}
