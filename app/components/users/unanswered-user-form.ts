import { invitationMessages } from "~/content/invitations";
import { userMessages as copy } from "~/content/users";

/** Returns, for `keepForm`, which form of User Management got no answer and its failure sentence; `{}`: the shared one. */
export function getUnansweredUserDetail({ intent }: Record<string, string>) {
  if (intent === "invite") return { form: "invitation", message: invitationMessages.failed };
  return intent === "add" ? { form: "user", message: copy.addFailed } : {};
}
