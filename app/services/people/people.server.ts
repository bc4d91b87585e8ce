import type { Database } from "~/db/database.server";
import type { Actor } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { OutboxEraser } from "~/services/mail/outbox.server";
import { erasePerson } from "./erase-person.server";
import type { Erasure } from "./erase-person.server";
import {
  addressOf,
  confirmationOf,
  countMailsOf,
  formsOf,
  mailsOf,
  newestSubmissionsOf,
  outboxOf,
  reportsOf,
  submissionIdsOf,
  suppressionOf,
} from "./person-rows.server";

/** A copy reads so many submissions at a time. */
const BATCH = 500;

/**
 * All that is kept of one person, which is of one address: looked at, taken away as a copy and erased. Named by the id of
 * any of their submissions.
 */
export function createPeople(deps: {
  database: Database;
  /** Where mails are kept instead of sent. */
  outbox: OutboxEraser | undefined;
  clock: Clock;
  newId: NewId;
}) {
  const { database, clock, newId } = deps;
  const { read } = database;

  return {
    /** Where each of these addresses is looked at, by the address in lower case; who sent no form is left out. */
    idsOf: (addresses: readonly string[]) => newestSubmissionsOf(read, addresses),

    /**
     * What a page shows: of forms and mails the newest `limit`, and how many mails there are. Undefined for an id nobody
     * has any more.
     */
    async find(submissionId: string, { limit }: { limit: number }) {
      const whose = await addressOf(read, submissionId);
      if (!whose) return undefined;
      const { email_key } = whose;
      const [ids, mails, mailCount, emailAndDevices] = await Promise.all([
        submissionIdsOf(read, email_key, limit + 1),
        mailsOf(read, email_key, limit),
        countMailsOf(read, email_key),
        getEmailAndDevices(email_key),
      ]);
      const forms = await formsOf(read, ids.slice(0, limit));
      return {
        address: whose.email,
        kind: whose.kind,
        forms,
        hasMoreForms: ids.length > limit,
        mails,
        mailCount,
        ...emailAndDevices,
      };
    },

    /**
     * All of it, for a copy. Written to the audit before it is handed out. Undefined for an id nobody has any more.
     */
    async export(submissionId: string, { by, network, requestId }: Actor) {
      const whose = await addressOf(read, submissionId);
      if (!whose) return undefined;
      const { email, email_key } = whose;
      await database.write((trx) =>
        recordAudit(trx, {
          id: newId(),
          at: clock(),
          actor: by,
          action: "export-person",
          subject: email,
          outcome: "ok",
          network,
          requestId,
        }),
      );
      const ids = await submissionIdsOf(read, email_key, Number.MAX_SAFE_INTEGER);
      const forms = [];
      for (let at = 0; at < ids.length; at += BATCH) {
        forms.push(...(await formsOf(read, ids.slice(at, at + BATCH))));
      }
      const [mails, confirmation, suppression, reports, outbox] = await Promise.all([
        mailsOf(read, email_key),
        confirmationOf(read, email_key),
        suppressionOf(read, email_key),
        reportsOf(read, email_key),
        outboxOf(read, email_key),
      ]);
      return {
        address: email,
        exportedAt: clock(),
        forms,
        mails,
        confirmation,
        suppression,
        reports,
        outbox,
      };
    },

    /** See erasePerson. */
    erase: (submissionId: string, operator: Actor): Promise<Erasure> =>
      erasePerson(deps, submissionId, operator),
  };
  /** How things stand with the address, and what else lies under it. */
  async function getEmailAndDevices(email_key: string) {
    const [confirmation, suppression, reports, outbox] = await Promise.all([
      confirmationOf(read, email_key),
      suppressionOf(read, email_key),
      reportsOf(read, email_key),
      outboxOf(read, email_key),
    ]);
    return { confirmation, suppression, reports, outbox };
  }
}
