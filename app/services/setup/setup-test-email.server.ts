import type { Database } from "~/db/database.server";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import type { Actor } from "~/services/audit/audit.server";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import { SEND_TIMEOUT_MS } from "~/services/mail/email-sending";
import type { Email, SendOutcome } from "~/services/mail/mailer";
import { toRequester } from "~/services/mail/transactional/requested-email";
import type { Attempt, TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { TestEmailKind } from "~/services/outreach/sample-email.server";
import type { Clock } from "~/services/service-deps";
import { writeRecord } from "./setup-records.server";

/** What came of the test email: the mail server's answer, or why there is none. "stored": it is in the outbox. */
export type TestEmailOutcome = SendOutcome["kind"] | "stored" | "suppressed";

export interface TestEmailSending {
  readonly emails: Pick<TransactionalEmails, "send">;
  readonly kind: TestEmailKind;
  readonly sender: Email["from"];
  readonly compose: (email: TransactionalEmail) => Email;
}

interface Deps extends TestEmailSending {
  readonly database: Pick<Database, "write">;
  readonly clock: Clock;
  /** Whether emails are stored here and reach nobody. */
  readonly isOutbox: boolean;
  /** The settings with which emails are sent (setup-records.server.ts). */
  readonly settings: string;
  /** For tests. */
  readonly setTimer?: SetTimer | undefined;
}

/**
 * Sends one email as every other transactional email is sent, at once and once, and records the mail server's answer
 * with the time it took, also when it comes too late for the operator who waits.
 * @returns the outcome; "waiting" after 30 s without one.
 */
export async function sendSetupEmail(deps: Deps, actor: Actor): Promise<TestEmailOutcome | "waiting"> {
  const { emails, kind, sender, compose, clock } = deps;
  const { by: address } = actor;

  async function send(): Promise<TestEmailOutcome> {
    const beganAt = clock();
    const attempt = await emails.send(
      kind,
      { address, data: { actor: toRequester(actor) } },
      { compose: (messageId) => compose({ address, sender, messageId }) },
    );
    const at = clock();
    const { outcome, detail } = toAnswer(attempt, deps.isOutbox);
    await deps.database.write((trx) =>
      writeRecord(trx, {
        name: "test-email",
        at,
        settings: deps.settings,
        outcome,
        detail,
        took_ms: at - beganAt,
      }),
    );
    return outcome;
  }

  return (await within(SEND_TIMEOUT_MS, send(), deps.setTimer)) ?? "waiting";
}

function toAnswer(
  attempt: Attempt<unknown>,
  isOutbox: boolean,
): { readonly outcome: TestEmailOutcome; readonly detail: string } {
  // Without a key it is never "known", and without a limit of its own never "rate-limited".
  if (attempt.kind !== "attempted") {
    return { outcome: "suppressed", detail: attempt.kind === "suppressed" ? attempt.reason : "" };
  }
  const { kind, detail } = attempt.outcome;
  return { outcome: isOutbox && kind === "accepted" ? "stored" : kind, detail };
}
