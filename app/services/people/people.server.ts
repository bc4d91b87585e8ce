import type { SubmissionKind } from "~/db/tables/submissions";
import { formatCount } from "~/lib/format-number";
import { auditInParts, createAudit, type Actor } from "~/services/audit/audit.server";
import type { Outbox } from "~/services/mail/outbox.server";
import type { ServiceDeps } from "~/services/service-deps";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { eraseEmails, isEmailInProgress } from "./erase-emails.server";
import {
  countDeliveriesTo,
  findAddress,
  findNewestSubmissions,
  listDeliveries,
  listForms,
  listSubmissionIds,
  readEmailState,
} from "./person-rows.server";

/** Submissions an export reads at a time, and an erasure erases in a transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;

/**
 * "unknown": no submission has this id any more. "email-in-progress": an email is being handed to the mail server,
 * and its result would record the address again.
 */
type Erasure =
  | { ok: true; kind: SubmissionKind; submissions: number }
  | { ok: false; error: "unknown" | "email-in-progress" };

interface PeopleDeps extends ServiceDeps {
  /** Outbox that keeps emails instead of sending them. */
  readonly outbox: Outbox | undefined;
}

/** Shows, exports and erases all data stored under one address, found by any of its submissions' ids. */
export function createPeople(deps: PeopleDeps) {
  const { database, clock } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  return {
    /** Finds the newest submission of each address, by the address in lower case. */
    findIds: (addresses: readonly string[]) => findNewestSubmissions(read, addresses),

    /** Finds the data for a page: the newest `limit` submissions and emails. Undefined for an unknown id. */
    async find(submissionId: string, { limit }: { limit: number }) {
      const person = await findAddress(read, submissionId);
      if (!person) return undefined;
      const { email, email_key, kind } = person;
      const [ids, emails, emailCount, emailState] = await Promise.all([
        listSubmissionIds(read, email_key, limit + 1),
        listDeliveries(read, email_key, limit),
        countDeliveriesTo(read, email_key),
        readEmailState(read, email_key),
      ]);
      const forms = await listForms(read, ids.slice(0, limit));
      const hasMoreForms = ids.length > limit;
      return { address: email, kind, forms, hasMoreForms, emails, emailCount, ...emailState };
    },

    /** Finds all data for an export, which is recorded in the audit first. Undefined for an unknown id. */
    async export(submissionId: string, actor: Actor) {
      const person = await findAddress(read, submissionId);
      if (!person) return undefined;
      const { email, email_key } = person;
      await database.write((trx) => audit(trx, actor, { action: "export-person", subject: email }));
      const ids = await listSubmissionIds(read, email_key, Number.MAX_SAFE_INTEGER);
      const forms = [];
      for (let at = 0; at < ids.length; at += CHUNK) {
        forms.push(...(await listForms(read, ids.slice(at, at + CHUNK))));
      }
      const emails = await listDeliveries(read, email_key);
      const emailState = await readEmailState(read, email_key);
      return { address: email, exportedAt: clock(), forms, emails, ...emailState };
    },

    /**
     * Erases everything stored about the person (docs/decisions/0027 lists what stays). Works in short
     * transactions; the submission that names the person goes with the last one, so that an interrupted erasure
     * can be requested again. Concurrent calls erase once.
     */
    async erase(submissionId: string, actor: Actor): Promise<Erasure> {
      const person = await findAddress(read, submissionId);
      if (!person) return { ok: false, error: "unknown" };
      const { email_key, kind } = person;
      if (await isEmailInProgress(read, email_key)) return { ok: false, error: "email-in-progress" };

      // The entry does not name the person.
      const parts = auditInParts(deps, actor, "erase-person", (count) => formatCount(count, "submission"));
      await deps.outbox?.eraseAllTo(email_key);
      for (;;) {
        const submissionIds = await listSubmissionIds(read, email_key, CHUNK + 1);
        const others = submissionIds.filter((id) => id !== submissionId).slice(0, CHUNK);
        const isLast = submissionIds.length <= CHUNK;
        const erased = await parts.write(async (trx) => {
          if (!isLast) return eraseSubmissions(trx, others);
          if (!(await eraseEmails(trx, email_key, clock()))) return undefined;
          return eraseSubmissions(trx, [...others, submissionId]);
        });
        if (erased === undefined) return { ok: false, error: "email-in-progress" };
        if (isLast) break;
      }
      // Emails that were handed to the outbox meanwhile.
      await deps.outbox?.eraseAllTo(email_key);
      return parts.done > 0 ? { ok: true, kind, submissions: parts.done } : { ok: false, error: "unknown" };
    },
  };
}
