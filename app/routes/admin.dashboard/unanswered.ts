import { getUnansweredUserDetail } from "~/components/users/unanswered-user-form";
import { outreachMessages as copy } from "~/content/outreach";

/** Returns what a form of the dashboard shows when no answer came (app/components/keep-form.ts). */
export function getUnanswered(values: Record<string, string>) {
  if (values.intent === "add") return getUnansweredUserDetail(values);
  // The dialogs show it.
  if (values.intent === "confirm") return { message: copy.failed };
  if (values.intent === "replace") return {};
  if (values.intent === "save-template") return { form: "template", name: values.name, error: "" };
  return { form: "draft" };
}
