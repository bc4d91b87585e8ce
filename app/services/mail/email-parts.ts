import type { Email } from "./mailer";

/** What an email is composed of (app/emails). */

export interface OutreachEmail extends Pick<Email, "messageId"> {
  /** Used as the subject; `{{name}}` is merged. */
  readonly title: string;
  /** Plain text written by an operator; `{{name}}` is merged and http(s) links become links. */
  readonly message: string;
  /** `name` comes from a public form; empty when unknown. */
  readonly recipient: Email["to"];
  readonly sender: Email["from"];
  /** Absolute http(s) URL whose POST unsubscribes at once (RFC 8058). */
  readonly unsubscribeUrl: string;
  /** Postal address of the sender, for the footer; empty for none. */
  readonly postalAddress?: string;
}

export interface TransactionalEmail extends Pick<Email, "messageId"> {
  readonly address: string;
  readonly sender: Email["from"];
}

export interface ConfirmationEmail extends TransactionalEmail {
  /** Absolute http(s) URL of the page that asks for the confirmation. */
  readonly confirmUrl: string;
  /** Lifetime of the link. */
  readonly validForMs: number;
}
