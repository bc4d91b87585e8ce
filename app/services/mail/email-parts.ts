import type { AutomaticRule } from "~/lib/automatic-rules";
import type { MessageFormat } from "~/lib/message-format";
import type { ConfirmedSubject } from "~/services/confirmations/confirmation-request.server";
import type { Email } from "./mailer";

/** What an email is composed of (app/emails). */

/** What all recipients of a campaign get. */
export interface OutreachContent {
  /** Used as the subject; may have fields (merge-fields.ts). */
  readonly title: string;
  /** Written by an operator; may have fields. In plain text, http(s) links become links. */
  readonly message: string;
  readonly format: MessageFormat;
}

/** What differs between the recipients of a campaign. */
export interface OutreachDelivery extends Pick<Email, "messageId"> {
  /** Name, company and role come from a public form; empty when unknown. */
  readonly recipient: Email["to"] & { readonly company: string; readonly role: string };
  readonly sender: Email["from"];
  /** Absolute http(s) URL whose POST unsubscribes at once (RFC 8058). */
  readonly unsubscribeUrl: string;
  /** Absolute http(s) URL of the recipient's invitation; left out where the text has no field for it. */
  readonly inviteUrl?: string | undefined;
}

/** Composes the email of a campaign: its content once, and then each recipient's. */
export type ComposeOutreach = (content: OutreachContent) => (delivery: OutreachDelivery) => Email;

/** An email that answers a form by itself. */
export interface AutomaticEmail extends OutreachDelivery, Pick<OutreachContent, "message" | "format"> {
  readonly rule: AutomaticRule;
  /** Written by an operator; may have the fields of the rule (automatic-rules.ts). */
  readonly subject: string;
  /** Absolute http(s) URL of the page on which the reader confirms the address; left out for none. */
  readonly confirmUrl?: string | undefined;
}

export interface TransactionalEmail extends Pick<Email, "messageId"> {
  readonly address: string;
  readonly sender: Email["from"];
}

export interface ConfirmationEmail extends TransactionalEmail {
  readonly about: ConfirmedSubject;
  /** Absolute http(s) URL of the page that asks for the confirmation. */
  readonly confirmUrl: string;
  /** Lifetime of the link. */
  readonly validForMs: number;
}
