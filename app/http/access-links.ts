import { emailKey } from "~/lib/email-address";
import { CAPABILITY_PATHS } from "~/paths";
import type { SignedIn } from "~/services/sessions/sessions.server";

const PATHS = CAPABILITY_PATHS.map((segments) => segments.join("/")).join("|");
const ACCESS_LINK = new RegExp(`/(${PATHS})/[\\w.%-]+`, "gi");

/** Stands for the part of a link that gives access. */
const MASK = "***";

/**
 * Returns whether somebody may see the links of an email that give access as its recipient: whoever opens one acts in
 * their name. A superadmin may, who with the outbox hands them over.
 */
export function canSeeAccessLinks(operator: Pick<SignedIn, "email" | "role">, recipient: string): boolean {
  return operator.role === "superadmin" || emailKey(recipient) === operator.email;
}

/** Masks the links to invitations, confirmations and unsubscribing in a text, in HTML or in unfolded headers. */
export function maskAccessLinks(text: string): string {
  return text.replace(ACCESS_LINK, `/$1/${MASK}`);
}
