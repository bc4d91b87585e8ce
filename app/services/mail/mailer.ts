/**
 * The port for sending one mail. Drivers: docs/drivers.md. Contract: tests/factories/mailer-battery.ts.
 *
 * Contract
 * - `send` speaks to exactly one recipient, never reads a file or a URL named in a mail, and settles within the
 *   driver's own timeouts. SMTP: 10 s to connect, 10 s for a greeting, 30 s without an answer, and 10 minutes for the answer
 *   to the whole message (hardening R32).
 * - It never throws for what a mail server or a network does: every such ending is a `MailOutcome`. It throws only
 *   for a mail that breaks this contract (a line break in a header, more than one address).
 * - `send` never tries a mail a second time that may have arrived. Its callers do so only after a crash of their own or when
 *   an operator says so, with the same Message-ID; a driver does not deduplicate.
 * - `knows` answers whether a mail with that Message-ID was certainly handed over, where a driver can prove it
 *   (the outbox can); `undefined` where it cannot (SMTP, the platform).
 */
export interface Mailer {
  /** What the status bar and the boot line call it: its MAIL_DRIVER. */
  readonly name: string;
  send(mail: Mail): Promise<MailOutcome>;
  knows(messageId: string): Promise<boolean | undefined>;
  /** Ends pooled connections; a campaign under way may finish within a second, and ends as it stands then. */
  close(): Promise<void>;
}

export interface Mail {
  /** With angle brackets: `<id@host>`. */
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Further headers, such as List-Unsubscribe. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How sending ended. `detail` holds the server's own words, one line, no secrets.
 * - accepted: the server took responsibility (250 after DATA, or the file is on disk).
 * - deferred: a temporary refusal of this mail or recipient (4xx); try later.
 * - refused: a permanent refusal of this mail or recipient (5xx); never try again.
 * - unauthorized: the server does not accept our login or our sender; nothing will go until someone mends that.
 * - unreachable: the mail was certainly not handed over and the fault is not the recipient's (refused connection,
 *   no greeting, TLS failure, dropped before the end of DATA, 421).
 * - unknown: it was handed over whole and no answer came, because the connection broke or the wait for it ran out: it may or
 *   may not have arrived.
 */
export type MailOutcome =
  | { readonly kind: "accepted"; readonly detail: string }
  | {
      readonly kind: "deferred" | "refused";
      readonly code: number;
      readonly detail: string;
      /** Only of `deferred`, where it was said. */
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: "unauthorized" | "unreachable" | "unknown"; readonly detail: string };
