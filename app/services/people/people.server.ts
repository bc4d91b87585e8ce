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

/** Submissions an export reads at a time. */
const BATCH = 500;

/**
 * Shows, exports and erases everything stored about one person, that is, about one address. The person is
 * identified by the id of any of their submissions.
 */
export function createPeople(deps: {
  database: Database;
  /** Outbox that keeps emails instead of sending them. */
  outbox: OutboxEraser | undefined;
  clock: Clock;
  newId: NewId;
}) {
  const { database, clock, newId } = deps;
  const { read } = database;

  return {
    /**
     * Finds the newest submission of each address, by the address in lower case; addresses without one are left
     * out.
     */
    idsOf: (addresses: readonly string[]) => newestSubmissionsOf(read, addresses),

    /**
     * Finds the data for a page: the newest `limit` submissions and emails, and the number of emails. Undefined
     * for an unknown id.
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

    /** Finds all data for an export, which is recorded in the audit first. Undefined for an unknown id. */
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

    /** See `erasePerson`. */
    erase: (submissionId: string, operator: Actor): Promise<Erasure> =>
      erasePerson(deps, submissionId, operator),
  };
  /** Reads the state of the address, and everything else stored under it. */
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
