import { FIELDS_OF_RULE, type AutomaticRule } from "~/lib/automatic-rules";
import { grouped } from "~/lib/format-number";
import type { MergeField } from "~/lib/merge-fields";
import type { AutomaticCounts } from "~/services/automatic/automatic-emails.server";
import { formatSkipReasons } from "./outreach";

const listFields = (rule: AutomaticRule) => FIELDS_OF_RULE[rule].map((field) => `{{${field}}}`).join(", ");

/** What each rule is called, and when its email goes. */
const rules: Record<AutomaticRule, { readonly name: string; readonly when: string }> = {
  "thank-you": {
    name: "Thank-you",
    when: "Goes to whoever signs up for early access, once, with a link to unsubscribe.",
  },
  welcome: {
    name: "Welcome",
    when: "Goes to whoever signs up for updates, once, with a link to unsubscribe. Where signups are confirmed by email, it follows the confirmation.",
  },
  receipt: {
    name: "Receipt",
    when: "Goes to whoever sends the contact form, once. It does not quote the message.",
  },
};

export const automaticMessages = {
  title: "Automatic emails",
  state: "Emails that answer a form by themselves, each once a person.",
  rules,
  states: { on: "On", off: "Off" },
  edit: "Edit",
  editRule: (name: string) => `Edit ${name}`,
  turnOn: "Turn on",
  turnOff: "Turn off",
  savedBy: (by: string) => `Saved by ${by}`,
  ownText: "The text it comes with",
  none: "None sent yet.",
  textTitle: "Text",
  subject: "Subject",
  message: "Message",
  save: "Save",
  /** Below the button. */
  onHint: "It is on: emails sent from now on have the saved text.",
  offHint: "It is off: nothing is sent until it is turned on.",
  changed: (by = "A colleague") => `${by} saved another text in the meantime, so nothing was saved.`,
  changedAdvice: "Yours is below as you typed it, the other one in the preview. Save again to replace it.",
  unknownField: (rule: AutomaticRule, field: string) =>
    `{{${field}}} is not a field, so nothing was saved. There are ${listFields(rule)}.`,
  notAllowed: (rule: AutomaticRule, field: MergeField) =>
    rule === "receipt" && field === "unsubscribe_link"
      ? "A receipt has no link to unsubscribe, because nobody is on a list by writing to you. Nothing was saved."
      : `{{${field}}} is not possible here, so nothing was saved: anybody can type anything beside somebody else’s address, and it would go there in your name. There are ${listFields(rule)}.`,
  withoutDefault: (fields: readonly MergeField[]) =>
    `Some people have nothing for ${fields.map((field) => `{{${field}}}`).join(", ")}. With a default, such as {{${fields[0]}|there}}, they get that instead.`,
  previewTitle: "The saved email",
  sendTest: "Send me a test",
  historyTitle: "Emails",
  emptyTitle: "No emails yet",
  empty: "Each email appears here with what became of it, once the form it answers was sent.",
  columns: { to: "To", state: "Status", detail: "Message", at: "Updated", actions: "Actions" },
  resend: "Send again",
  resendTo: (address: string) => `Send again to ${address}`,
  resentBy: (by: string) => `Sent again by ${by}`,
  see: "See the email",
  counts: formatCounts,
} as const;

/** Formats "12 sent, 1 waiting, 2 skipped (2 unsubscribed)."; empty when there are none. */
function formatCounts({
  sent,
  waiting,
  failed,
  uncertain,
  skipped,
  skippedByReason,
}: AutomaticCounts): string {
  const parts = [
    [sent, "sent"],
    [waiting, "waiting"],
    [failed, "failed"],
    [uncertain, "uncertain"],
    [skipped, `skipped (${formatSkipReasons(skippedByReason)})`],
  ] as const;
  const counted = parts.flatMap(([count, label]) => (count > 0 ? `${grouped(count)} ${label}` : []));
  return counted.length === 0 ? "" : `${counted.join(", ")}.`;
}
