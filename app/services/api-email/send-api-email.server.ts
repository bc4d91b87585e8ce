import { z } from "zod";
import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { formatTokenLabel } from "~/services/api-tokens/api-tokens.server";
import { createAudit } from "~/services/audit/audit.server";
import { getKeyedAction, KEY_LIFETIME_MS, type KeyedCall } from "~/services/idempotency/idempotency.server";
import { AUTOMATIC_HEADERS, toHeaderText } from "~/services/mail/email-headers";
import { SEND_TIMEOUT_MS } from "~/services/mail/email-sending";
import type { Email, SendOutcome } from "~/services/mail/mailer";
import type { EmailKind, TransactionalEmailRow } from "~/services/mail/transactional/email-kind";
import { requesterData, toAuditOutcome } from "~/services/mail/transactional/requested-email";
import type { Attempt, TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { toDetail } from "~/services/queue/job-type";
import type { ServiceDeps } from "~/services/service-deps";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";

/** Time calls may run ahead of MAIL_RATE_PER_SECOND; background sending slows down to compensate. */
const MAX_AHEAD_MS = seconds(1);
/** Retry-After of a call whose email the mail server cannot take now. */
const RETRY_AFTER_SECONDS = 60;

/** The final result of an email, returned again for a repeated Idempotency-Key. `detail`: the mail server's reply. */
type EmailResult =
  | { readonly kind: "sent"; readonly messageId: string; readonly detail: string }
  | { readonly kind: "refused"; readonly detail: string }
  /** It may have arrived or not. */
  | { readonly kind: "uncertain"; readonly detail: string };

export type ApiEmailOutcome =
  | (EmailResult & { readonly isRepeated: boolean })
  /** Not sent, for a temporary reason that is not the email's fault. */
  | { kind: "unavailable"; detail: string; retryAfterSeconds: number }
  /** The mail server rejects our login or sender; an operator must fix the configuration. */
  | { kind: "unauthorized"; detail: string }
  | { kind: "suppressed"; reason: SuppressionReason }
  | { kind: "under-way" | "other-request" };

/** An email requested through the API. */
export interface ApiMessage extends Pick<Email, "subject" | "html"> {
  readonly kind: "send-email" | "send-reminder" | "send-task-assignment" | "send-user-removal";
  readonly to: string;
  /**
   * The fields of the call besides the address, always in the same order. With `kind` and `to` they are the idempotency
   * fingerprint. The composed email is not part of it, because it changes with the brand and the version.
   */
  readonly fields: readonly (string | undefined)[];
  /** Left out when only the HTML is known. */
  readonly text?: string;
}

const apiEmailData = z.object({
  /** Token and Idempotency-Key; left out without one. */
  key: z.string().optional(),
  /** Of the request with this key: another request with it is the caller's mistake. Empty without a key. */
  fingerprint: z.string(),
  /** Who asked for it, for the audit; left out by an earlier version. */
  actor: requesterData.optional(),
  tokenLabel: z.string().optional(),
});

type ApiEmailKind = EmailKind<z.infer<typeof apiEmailData>>;

/** Creates the kind of emails that programs send: one for each Idempotency-Key, kept for a day. */
export function createApiEmailKind(deps: Pick<ServiceDeps, "clock" | "newId">): ApiEmailKind {
  const audit = createAudit(deps);
  return {
    name: "api",
    plural: "emails of the API",
    allowanceClass: "always",
    data: apiEmailData,
    getKey: ({ key }) => key,
    retentionMs: KEY_LIFETIME_MS,
    async recordEnd(trx, { address, data: { actor, tokenLabel = "" } }, result) {
      // An email that another attempt might send ends as skipped, which frees its key: the program repeats its call, and the
      // result of that attempt is recorded.
      if (!actor || (result.state === "skipped" && result.detail !== "suppressed")) return;
      const outcome = toAuditOutcome(result);
      const subject = `${address}, by the token ${tokenLabel}`;
      await audit(trx, actor, { action: "send-api-email", subject, outcome });
    },
  };
}

interface SendApiEmailDeps {
  readonly emails: Pick<TransactionalEmails, "send">;
  readonly kind: ApiEmailKind;
  readonly sender: Email["from"];
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Creates the function that sends one email for an API call, at once. The caller validates the address (C19).
 *
 * An idempotency key sends at most one email (C26): if a crash or a lost connection hides whether it arrived,
 * the result stays `uncertain`, and only a new key risks a second email. A call is answered within 30 s, as
 * `uncertain` if the email is not settled by then; its key returns the result once it is.
 */
export function createSendApiEmail({ emails, kind, sender, setTimer }: SendApiEmailDeps) {
  return async (message: ApiMessage, call: KeyedCall): Promise<ApiEmailOutcome> => {
    const { token, from } = call;
    const keyed = getKeyedAction(call, [message.kind, message.to, ...message.fields]);
    const fingerprint = keyed?.fingerprint ?? "";
    const actor = { by: token.email, network: from.network, requestId: from.requestId };
    const data = { key: keyed?.id, fingerprint, actor, tokenLabel: formatTokenLabel(token) };
    const sending = emails.send(
      kind,
      { address: message.to, data },
      { compose: (messageId) => compose(message, { messageId, sender }), maxAheadMs: MAX_AHEAD_MS },
    );
    // It may continue after the call was answered.
    const attempt = await within(SEND_TIMEOUT_MS, sending, setTimer);
    if (attempt) return toApiOutcome(attempt, fingerprint);
    return { kind: "uncertain", detail: "the mail server has not answered yet", isRepeated: false };
  };
}

/**
 * Composes the email with its HTML unchanged. Where only that is known, the text part points to it: text extracted
 * from foreign HTML is a guess, and when the two parts differ people read one thing and filters another.
 * No unsubscribe link: the recipient is on no list of ours.
 */
function compose(
  { to, html, ...message }: ApiMessage,
  { messageId, sender }: { messageId: string; sender: Email["from"] },
): Email {
  const subject = toHeaderText(message.subject);
  const pointer = `${subject}\n\nThis email was written in HTML. Please open it in a program that shows HTML.\n`;
  const { text = pointer } = message;
  return {
    messageId,
    from: sender,
    to: { name: "", address: to },
    subject,
    text,
    html,
    autoSubmitted: "auto-generated",
    headers: AUTOMATIC_HEADERS,
  };
}

function toApiOutcome(attempt: Attempt<z.infer<typeof apiEmailData>>, fingerprint: string): ApiEmailOutcome {
  switch (attempt.kind) {
    case "attempted":
      return toOutcome(attempt.outcome, attempt.messageId);
    case "known":
      if (attempt.email.data.fingerprint !== fingerprint) return { kind: "other-request" };
      return toRepeatedOutcome(attempt.email);
    case "suppressed":
      return attempt;
    case "rate-limited": {
      const retryAfterSeconds = Math.ceil(attempt.waitMs / 1000);
      return { kind: "unavailable", detail: "too many emails at once", retryAfterSeconds };
    }
  }
}

/** Returns the outcome of a call whose key names an earlier email. */
function toRepeatedOutcome(email: TransactionalEmailRow<unknown>): ApiEmailOutcome {
  const { state, detail, message_id: messageId } = email;
  switch (state) {
    case "sent":
      return { kind: "sent", messageId, detail, isRepeated: true };
    case "failed":
      return { kind: "refused", detail, isRepeated: true };
    case "uncertain":
      return { kind: "uncertain", detail, isRepeated: true };
    default:
      return { kind: "under-way" };
  }
}

/** Converts the mailer's outcome into the result of a call. */
function toOutcome(outcome: SendOutcome, messageId: string): ApiEmailOutcome {
  const detail = toDetail(outcome.detail);
  switch (outcome.kind) {
    case "accepted":
      return { kind: "sent", messageId, detail, isRepeated: false };
    case "refused":
      return { kind: "refused", detail, isRepeated: false };
    case "unknown":
      return { kind: "uncertain", detail, isRepeated: false };
    case "unauthorized":
      return { kind: "unauthorized", detail };
    case "deferred":
    case "unreachable":
      return { kind: "unavailable", detail, retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
}
