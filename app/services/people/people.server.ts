import type { Database } from "~/db/database.server";
import type { Actor } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { OutboxEraser } from "~/services/mail/outbox.server";
import { erasePerson } from "./erase-person.server";
import type { Erasure } from "./erase-person.server";
import {
  findAddress,
  findConfirmation,
  countDeliveriesTo,
  listForms,
  listDeliveries,
  findNewestSubmissions,
  listOutboxEmails,
  listReports,
  listSubmissionIds,
  findSuppression,
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
    findIds: (addresses: readonly string[]) => findNewestSubmissions(read, addresses),

    /**
     * Finds the data for a page: the newest `limit` submissions and emails, and the number of emails. Undefined
     * for an unknown id.
     */
    async find(submissionId: string, { limit }: { limit: number }) {
      const person = await findAddress(read, submissionId);
      if (!person) return undefined;
      const { email_key } = person;
      const [ids, mails, mailCount, emailAndDevices] = await Promise.all([
        listSubmissionIds(read, email_key, limit + 1),
        listDeliveries(read, email_key, limit),
        countDeliveriesTo(read, email_key),
        getEmailAndDevices(email_key),
      ]);
      const forms = await listForms(read, ids.slice(0, limit));
      return {
        address: person.email,
        kind: person.kind,
        forms,
        hasMoreForms: ids.length > limit,
        mails,
        mailCount,
        ...emailAndDevices,
      };
    },

    /** Finds all data for an export, which is recorded in the audit first. Undefined for an unknown id. */
    async export(submissionId: string, { by, network, requestId }: Actor) {
      const person = await findAddress(read, submissionId);
      if (!person) return undefined;
      const { email, email_key } = person;
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
      const ids = await listSubmissionIds(read, email_key, Number.MAX_SAFE_INTEGER);
      const forms = [];
      for (let at = 0; at < ids.length; at += BATCH) {
        forms.push(...(await listForms(read, ids.slice(at, at + BATCH))));
      }
      const [mails, confirmation, suppression, reports, outbox] = await Promise.all([
        listDeliveries(read, email_key),
        findConfirmation(read, email_key),
        findSuppression(read, email_key),
        listReports(read, email_key),
        listOutboxEmails(read, email_key),
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
    erase: (submissionId: string, actor: Actor): Promise<Erasure> => erasePerson(deps, submissionId, actor),
  };
  /** Reads the state of the address, and everything else stored under it. */
  async function getEmailAndDevices(email_key: string) {
    const [confirmation, suppression, reports, outbox] = await Promise.all([
      findConfirmation(read, email_key),
      findSuppression(read, email_key),
      listReports(read, email_key),
      listOutboxEmails(read, email_key),
    ]);
    return { confirmation, suppression, reports, outbox };
  }
}
