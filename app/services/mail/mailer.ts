/**
 * Port for sending one email. Drivers: docs/drivers.md. Contract: tests/factories/mailer-battery.ts.
 *
 * Contract
 * - `send` addresses exactly one recipient, never reads a file or a URL named in an email, and settles within
 *   the driver's own timeouts. SMTP: 10 s to connect, 10 s for a greeting, 30 s without a response, and 10
 *   minutes for the response to the whole message (hardening R32).
 * - It never throws for what a mail server or a network does: every such result is a `SendOutcome`. It throws
 *   only for an email that breaks this contract (a line break in a header, more than one address).
 * - `send` never retries an email that may have arrived. Its callers do so only after a crash of their own or
 *   when an operator asks for it, with the same Message-ID; a driver does not deduplicate.
 * - `knows` tells whether an email with that Message-ID was certainly handed over, where a driver can prove it
 *   (the outbox can); `undefined` where it cannot (SMTP, Gmail, the platform).
 */
export interface Mailer {
  /** MAIL_DRIVER: the driver's name in the status bar and in the log. */
  readonly name: string;
  send(email: Email): Promise<SendOutcome>;
  knows(messageId: string): Promise<boolean | undefined>;
  /** Closes pooled connections. Emails in flight get a second to finish; what they reached by then is their outcome. */
  close(): Promise<void>;
}

export interface Email {
  /** With angle brackets: `<id@host>`. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Address for replies; left out: the sender's. */
  readonly replyTo?: string | undefined;
  /** Message-ID of the email that this one answers. */
  readonly inReplyTo?: string | undefined;
  /** Message-IDs of the emails of the conversation before it, oldest first. */
  readonly references?: readonly string[] | undefined;
  /** Why a program sends it (RFC 3834); left out: a person does. */
  readonly autoSubmitted?: "auto-generated" | "auto-replied" | undefined;
  /** Further headers, such as List-Unsubscribe. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Part of the SMTP dialogue that was refused: RCPT TO, or the message (DATA and its end). */
export type RefusedPart = "recipient" | "message";

/**
 * Result of one `send`. `detail` holds the server's own response on one line, without secrets.
 * - accepted: the server took responsibility (250 after DATA, or the file is on disk).
 * - deferred: a temporary refusal of this email or recipient (SMTP's 4xx); retry later.
 * - refused: a permanent refusal of this email or recipient (SMTP's 5xx); never retry.
 * - unauthorized: the server rejects our login or our sender; nothing can be sent until someone fixes that.
 * - unreachable: the email was certainly not handed over and the recipient is not at fault (refused connection,
 *   no greeting, TLS failure, connection dropped before the end of DATA, 421).
 * - unknown: the email was handed over completely and no response came, because the connection broke or timed
 *   out: it may or may not have arrived.
 */
export type SendOutcome =
  | { readonly kind: "accepted"; readonly detail: string }
  | {
      readonly kind: "deferred" | "refused";
      /** SMTP's code, or the status of HTTP. */
      readonly code: number;
      readonly detail: string;
      /** Set only for `deferred`, when the server gave a delay. */
      readonly retryAfterMs?: number | undefined;
      /** The part that was refused, where the driver's protocol tells: a refused message suppresses nobody (delivery/refusal.ts). */
      readonly part?: RefusedPart;
    }
  | { readonly kind: "unauthorized" | "unreachable" | "unknown"; readonly detail: string };
