import type { Database } from "~/db/database.server";
import type { Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Mail, Mailer } from "~/services/mail/mailer";

interface Party {
  readonly name: string;
  readonly address: string;
}

export interface TestMail {
  readonly address: string;
  readonly title: string;
  readonly message: string;
}

/** `reason`: the mail server's words. */
export type TestMailOutcome = { ok: true } | { ok: false; reason: string };

/**
 * Sends one mail to an address the operator gives, now and once, outside of the ledger. It has no unsubscribe link,
 * because its reader is on no list.
 */
export function createTestMail(has: {
  database: Database;
  mailer: Mailer;
  compose: (
    parts: TestMail & { recipient: Party; sender: Party; messageId: string; unsubscribeUrl: undefined },
  ) => Mail;
  clock: Clock;
  newId: NewId;
  sender: Party;
  mailDomain: string;
}) {
  return async (mail: TestMail, operator: Provenance & { by: string }): Promise<TestMailOutcome> => {
    const { address } = mail;
    const messageId = `<${has.newId()}@${has.mailDomain}>`;
    const outcome = await has.mailer.send(
      has.compose({
        ...mail,
        recipient: { name: "", address },
        sender: has.sender,
        messageId,
        unsubscribeUrl: undefined,
      }),
    );
    const ok = outcome.kind === "accepted";
    await has.database.write((trx) =>
      recordAudit(trx, {
        ...{
          id: has.newId(),
          at: has.clock(),
          actor: operator.by,
          action: "send-test-mail",
          subject: address,
        },
        ...{ outcome: ok ? "ok" : "failed", network: operator.network, requestId: operator.requestId },
      }),
    );
    return ok ? { ok: true } : { ok: false, reason: outcome.detail };
  };
}
