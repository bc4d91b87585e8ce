import type { Outbox } from "~/services/mail/outbox.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { canSeeAccessLinks, maskAccessLinks } from "./access-links";

/**
 * Reads an outbox email as somebody may see it. Where links that give access are masked there is no source, in which
 * they may be encoded.
 */
export async function readOutboxEmail(outbox: Outbox, id: string, operator: SignedIn) {
  const email = await outbox.parse(id);
  if (!email || canSeeAccessLinks(operator, email.recipient)) return email;
  // RFC 5322, section 2.2.3: a long header goes on in lines that begin with a space.
  const headers = email.headers.replace(/\r?\n(?=[ \t])/g, "");
  const masked = {
    html: maskAccessLinks(email.html),
    text: maskAccessLinks(email.text),
    headers: maskAccessLinks(headers),
  };
  const isMasked = masked.html !== email.html || masked.text !== email.text || masked.headers !== headers;
  if (!isMasked) return email;
  const links = email.links.filter((link) => maskAccessLinks(link) === link);
  return { ...email, ...masked, links, source: undefined };
}
