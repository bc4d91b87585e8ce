import { invitationMessages } from "~/content/invitations";
import { userMessages as copy } from "~/content/users";

/** Returns what User Management shows when no answer came (app/components/keep-form.ts). */
export function getUnansweredUserForm({ intent }: Record<string, string>) {
  if (intent === "invite") return { form: "invitation", message: invitationMessages.failed };
  return intent === "add" ? { form: "user", message: copy.addFailed } : {};
}
