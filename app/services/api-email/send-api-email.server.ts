import { z } from "zod";
import type { Write } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { formatTokenLabel } from "~/services/api-tokens/api-tokens.server";
import { createAudit, type AuditEntry } from "~/services/audit/audit.server";
import { getKeyedAction } from "~/services/idempotency/idempotency.server";
import type { Idempotency, KeyedAction, KeyedCall } from "~/services/idempotency/idempotency.server";
import { AUTOMATIC_HEADERS, toOneLine } from "~/services/mail/email-content";
import { SEND_TIMEOUT_MS, type EmailSending } from "~/services/mail/email-sending";
import type { Email, SendOutcome } from "~/services/mail/mailer";
import { refusesMailbox } from "~/services/mail/refusal";
import { toPlainText } from "~/services/queue/job-type";
import type { TokenBucket } from "~/services/queue/token-bucket";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";
import { suppress, getSuppressionReason } from "~/services/suppressions/suppressions.server";

/** Time calls may run ahead of MAIL_RATE_PER_SECOND; background sending slows down to compensate. */
const MAX_AHEAD_MS = seconds(1);
/** Retry-After of a call whose email the mail server cannot take now. */
const RETRY_AFTER_SECONDS = 60;

/** The final result of an email, returned again for a repeated Idempotency-Key. `detail`: the mail server's reply. */
const emailResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sent"), messageId: z.string(), detail: z.string() }),
  z.object({ kind: z.literal("refused"), detail: z.string() }),
  /** It may have arrived or not. */
  z.object({ kind: z.literal("uncertain"), detail: z.string() }),
]);
type EmailResult = z.infer<typeof emailResult>;

export type ApiEmailOutcome =
  | (EmailResult & { readonly isRepeated: boolean })
  /** Not sent, for a temporary reason that is not the email's fault. */
  | { kind: "unavailable"; detail: string; retryAfterSeconds: number }
  /** The mail server rejects our login or sender; an operator must fix the configuration. */
  | { kind: "unauthorized"; detail: string }
  | { kind: "suppressed"; reason: SuppressionReason }
  | { kind: "under-way" | "other-request" };

/** A call with the Message-ID and the idempotency key of its email. */
interface Call extends KeyedCall {
  readonly messageId: string;
  readonly keyed: KeyedAction;
}

/** An email requested through the API. `kind` is part of the idempotency fingerprint. */
export interface ApiMessage extends Pick<Email, "subject" | "html"> {
  readonly kind: "send-email" | "send-reminder" | "send-task-assignment" | "send-user-removal";
  readonly to: string;
  /** Left out when only the HTML is known. */
  readonly text?: string;
}

interface SendApiEmailDeps extends EmailSending {
  readonly idempotency: Idempotency;
  /** Rate limit shared by everything that sends emails. */
  readonly rate: TokenBucket;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Creates the function that sends one email for an API call, immediately and without a delivery row. The caller
 * validates the address (C19).
 *
 * An idempotency key sends at most one email (C26): if a crash or a lost connection hides whether it arrived,
 * the result stays `uncertain`, and only a new key risks a second email. A call is answered within 30 s, as
 * `uncertain` if the email is not settled by then; its key returns the result once it is.
 */
export function createSendApiEmail(deps: SendApiEmailDeps) {
  const { database, mailer, idempotency, allowance, clock, newId, setTimer } = deps;
  const audit = createAudit(deps);

  return async (message: ApiMessage, call: KeyedCall): Promise<ApiEmailOutcome> => {
    const messageId = `<${newId()}@${deps.mailDomain}>`;
    const { kind, to, subject, html } = message;
    const keyed = getKeyedAction(call, [kind, to, subject, html]);
    const claim = await idempotency.claim(keyed, messageId);
    switch (claim.kind) {
      case "new":
        return send(message, { ...call, messageId, keyed });
      case "done":
        return { ...emailResult.parse(JSON.parse(claim.outcome)), isRepeated: true };
      case "interrupted":
        return resume(message, { ...call, messageId: claim.reference, keyed });
      default:
        return claim;
    }
  };

  /** Resumes a call after a crash: sends the email only if it certainly was not handed over. */
  async function resume(message: ApiMessage, call: Call): Promise<ApiEmailOutcome> {
    const { messageId } = call;
    const known = await mailer.knows(messageId);
    if (known === false) return send(message, call);
    const detail = "interrupted by a crash";
    const result: EmailResult = known ? { kind: "sent", messageId, detail } : { kind: "uncertain", detail };
    return record(result, message, call);
  }

  async function send(message: ApiMessage, call: Call): Promise<ApiEmailOutcome> {
    // It may continue after the call was answered. If recording then fails, its key stays claimed.
    const outcome = await within(SEND_TIMEOUT_MS, sendAndRecord(message, call), setTimer);
    const detail = "the mail server has not answered yet";
    return outcome ?? { kind: "uncertain", detail, isRepeated: false };
  }

  async function sendAndRecord(message: ApiMessage, call: Call): Promise<ApiEmailOutcome> {
    const outcome = await attempt(message, call.messageId).catch(async (error: unknown) => {
      // The mailer throws only for an email that breaks its contract, before it contacts a server.
      await idempotency.release(call.keyed);
      throw error;
    });
    if (outcome.kind === "sent" || outcome.kind === "refused" || outcome.kind === "uncertain") {
      return record(outcome, message, call);
    }
    await idempotency.release(call.keyed);
    if (outcome.kind === "suppressed")
      await database.write((trx) => recordEmail(trx, "refused", message, call));
    return outcome;
  }

  async function attempt(message: ApiMessage, messageId: string) {
    const reason = await getSuppressionReason(database, message.to);
    if (reason) return { kind: "suppressed", reason } as const;
    const waitMs = deps.rate.waitMs(clock());
    if (waitMs > MAX_AHEAD_MS) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      return { kind: "unavailable", detail: "too many emails at once", retryAfterSeconds } as const;
    }
    deps.rate.consume(1);
    return toOutcome(await mailer.send(compose(message, messageId)), messageId);
  }

  /**
   * Composes the email with its HTML unchanged. Where only that is known, the text part points to it: text extracted
   * from foreign HTML is a guess, and when the two parts differ people read one thing and filters another
   * (docs/decisions/0020). No unsubscribe link: the recipient is on no list of ours.
   */
  function compose({ to, html, ...message }: ApiMessage, messageId: string): Email {
    const subject = toOneLine(message.subject);
    const pointer = `${subject}\n\nThis email was written in HTML. Please open it in a program that shows HTML.\n`;
    const { text = pointer } = message;
    return {
      messageId,
      from: deps.sender,
      to: { name: "", address: to },
      subject,
      text,
      html,
      headers: AUTOMATIC_HEADERS,
    };
  }

  async function record(
    result: EmailResult & { blamesAddress?: boolean },
    message: ApiMessage,
    call: Call,
  ): Promise<ApiEmailOutcome> {
    const { blamesAddress, ...outcome } = result;
    await database.write(async (trx) => {
      await idempotency.settle(trx, call.keyed, JSON.stringify(outcome));
      await recordEmail(trx, outcome.kind === "sent" ? "ok" : "failed", message, call);
      // A mail server has answered, or may have; one that deferred the email is asked again by the caller.
      await allowance.consume(trx, 1, clock());
      if (!blamesAddress) return;
      const refused = { address: message.to, detail: outcome.detail, deliveryId: null };
      await suppress(trx, newId, "refused", [refused], clock());
    });
    return { ...outcome, isRepeated: false };
  }

  function recordEmail(
    trx: Write,
    outcome: AuditEntry["outcome"],
    { to }: ApiMessage,
    { token, from }: Call,
  ): Promise<void> {
    const subject = `${to}, by the token ${formatTokenLabel(token)}`;
    return audit(trx, { ...from, by: token.email }, { action: "send-api-email", subject, outcome });
  }
}

/** Converts the mailer's outcome into the result of a call. */
function toOutcome(outcome: SendOutcome, messageId: string) {
  const detail = toPlainText(outcome.detail);
  switch (outcome.kind) {
    case "accepted":
      return { kind: "sent", messageId, detail } as const;
    case "refused":
      return { kind: "refused", detail, blamesAddress: refusesMailbox(outcome) } as const;
    case "unknown":
      return { kind: "uncertain", detail } as const;
    case "unauthorized":
      return { kind: "unauthorized", detail } as const;
    case "deferred":
    case "unreachable":
      return { kind: "unavailable", detail, retryAfterSeconds: RETRY_AFTER_SECONDS } as const;
  }
}
