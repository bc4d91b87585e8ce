import type { Database, Write } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { recordAudit } from "~/services/audit/audit.server";
import { setProcessTimer } from "~/services/clock";
import type { Clock, SetTimer } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { inTime } from "~/services/mail/in-time";
import type { Mail, Mailer } from "~/services/mail/mailer";
import { isSuppressed } from "~/services/suppressions/suppressions.server";
import { firstOfAudience } from "./audience.server";
import type { Operator } from "./outreach.server";
import type { DailyAllowance } from "./daily-allowance.server";
import { toResult } from "./delivery-result";
import { isAttempted } from "~/services/queue/job-type";
import type { MailParts } from "./sending-options";

export interface TestMail {
  readonly address: string;
  /** As the subject shows it. */
  readonly title: string;
  readonly message: string;
  /** Whose first recipient the fields are filled from. */
  readonly audience: SubmissionKind;
}

/**
 * "suppressed": the address gets no mail any more, not this one either. "uncertain": it may arrive, or have arrived.
 * `reason`: the mail server's words.
 */
export type TestMailOutcome =
  | { ok: true }
  | { ok: false; error: "suppressed" }
  | { ok: false; error: "uncertain" }
  | { ok: false; error: "not-sent"; reason: string };

/** A mail before its first try. */
const NEVER = { attempts: 0, not_before: 0, detail: "" };

/**
 * Sends one email to an address the operator gives, now and once, outside of the ledger: the one that the first recipient of the
 * audience would get, with a sample of the unsubscribe link, which is nobody's. It has no List-Unsubscribe header, because its
 * reader is on no list. It is counted among the day's emails, and goes also when they are used up.
 */
export function createTestMail(has: {
  database: Database;
  mailer: Mailer;
  compose: (parts: MailParts) => Mail;
  clock: Clock;
  newId: NewId;
  allowance: DailyAllowance;
  sender: MailParts["sender"];
  mailDomain: string;
  /** Absolute, and knows nobody. */
  deadUnsubscribeUrl: string;
  /** For tests. */
  setTimer?: SetTimer;
}) {
  return async (mail: TestMail, operator: Operator): Promise<TestMailOutcome> => {
    const { address } = mail;
    if (await isSuppressed(has.database, address)) {
      await has.database.write((trx) => audit(trx, address, "refused", operator));
      return { ok: false, error: "suppressed" };
    }
    const sending = send(mail, operator);
    // Nobody awaits one that goes on after the operator was told.
    sending.catch(() => undefined);
    return (await inTime(sending, has.setTimer ?? setProcessTimer)) ?? { ok: false, error: "uncertain" };
  };

  async function send(mail: TestMail, operator: Operator): Promise<TestMailOutcome> {
    const { address, title, message, audience } = mail;
    const [first] = await firstOfAudience(has.database.read, audience, 1);
    const composed = has.compose({
      title,
      message,
      recipient: { name: first?.name ?? "", address: first?.email ?? address },
      sender: has.sender,
      messageId: `<${has.newId()}@${has.mailDomain}>`,
      unsubscribeUrl: has.deadUnsubscribeUrl,
    });
    const outcome = await has.mailer.send({ ...composed, to: { name: "", address }, headers: {} });
    const ok = outcome.kind === "accepted";
    await has.database.write(async (trx) => {
      const at = has.clock();
      await has.allowance.count(
        trx,
        isAttempted({ row: NEVER, result: toResult(NEVER, outcome, at) }) ? 1 : 0,
        at,
      );
      await audit(trx, address, ok ? "ok" : "failed", operator);
    });
    if (outcome.kind === "unknown") return { ok: false, error: "uncertain" };
    return ok ? { ok: true } : { ok: false, error: "not-sent", reason: outcome.detail };
  }

  function audit(
    trx: Write,
    subject: string,
    outcome: "ok" | "refused" | "failed",
    { by, network, requestId }: Operator,
  ): Promise<void> {
    const entry = { actor: by, action: "send-test-mail", subject, outcome, network, requestId } as const;
    return recordAudit(trx, { ...entry, id: has.newId(), at: has.clock() });
  }
}
