import type { EmailState } from "~/services/mail/transactional/email-state";

export type { EmailState };

/** What became of an email; a mail server's words follow. */
const STATES: Record<EmailState["kind"], string> = {
  none: "no email, link only",
  queued: "queued: the mail server has not answered yet",
  accepted: "accepted by the mail server",
  refused: "refused by the mail server",
  "not-sent": "not sent",
  unknown: "handed over, but the mail server did not answer: it may have arrived",
};

/** Reasons of our own why an email was not sent. */
const REASONS: Readonly<Record<string, string>> = {
  suppressed: "the address is on the suppression list",
  interrupted: "the server stopped in between",
  "no-account": "the account was removed, or may not see what it is about",
  "rate-limited": "too many emails at once",
  "no-invitation": "the person joined or has another address, or the link was replaced or revoked",
};

/** Formats what became of an email: "refused by the mail server: 550 No such user". */
export function formatEmailState({ kind, detail }: EmailState): string {
  const words = REASONS[detail] ?? detail;
  return words === "" ? STATES[kind] : `${STATES[kind]}: ${words}`;
}
