import type { Read, Write } from "~/db/database.server";
import { formatCount } from "~/lib/format-number";
import { auditInParts, createAudit, type Actor } from "~/services/audit/audit.server";
import { findConfirmation } from "~/services/confirmations/confirmation-person-data.server";
import { listReports } from "~/services/bounces/bounce-person-data.server";
import { listStoredEmails } from "~/services/mail/outbox-person-data.server";
import { countDeliveriesTo, listDeliveries } from "~/services/outreach/delivery-person-data.server";
import type { ServiceDeps } from "~/services/service-deps";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { findSuppression } from "~/services/suppressions/suppression-person-data.server";
import type { PersonData } from "./person-data";
import { findPeople, findPerson, listForms, listSubmissionIds } from "./person-rows.server";

/** Submissions an export reads at a time, and an erasure erases in a transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;

/**
 * "unknown": there is no such person any more. "email-in-progress": an email is being handed to the mail server,
 * and its result would record the address again.
 */
type Erasure = { ok: true; submissions: number } | { ok: false; error: "unknown" | "email-in-progress" };

interface PeopleDeps extends ServiceDeps {
  /** What the other capabilities hold, in the order of the exported file. */
  readonly personData: readonly PersonData[];
}

/** Shows, exports and erases all data stored about a person, found by their id or by that of any of their submissions. */
export function createPeople(deps: PeopleDeps) {
  const { database, clock, personData } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  return {
    /** Finds the ids of the people with these addresses, by the address in lower case. */
    findIds: (addresses: readonly string[]) => findPeople(read, addresses),

    /** Finds the data for a page: the newest `limit` submissions and emails. Undefined for an unknown id. */
    async find(id: string, { limit }: { limit: number }) {
      const person = await findPerson(read, id);
      if (!person) return undefined;
      const { email, email_key } = person;
      const [ids, emails, emailCount, confirmation, suppression, reports, outbox] = await Promise.all([
        listSubmissionIds(read, email_key, limit + 1),
        listDeliveries(read, email_key, limit),
        countDeliveriesTo(read, email_key),
        findConfirmation(read, email_key),
        findSuppression(read, email_key),
        listReports(read, email_key),
        listStoredEmails(read, email_key),
      ]);
      return {
        id: person.id,
        address: email,
        forms: await listForms(read, ids.slice(0, limit)),
        hasMoreForms: ids.length > limit,
        emails,
        emailCount,
        confirmation,
        suppression,
        reports,
        outbox,
      };
    },

    /** Finds all data for an export, which is recorded in the audit first. Undefined for an unknown id. */
    async export(id: string, actor: Actor) {
      const person = await findPerson(read, id);
      if (!person) return undefined;
      const { email, email_key } = person;
      await database.write((trx) => audit(trx, actor, { action: "export-person", subject: email }));
      const ids = await listSubmissionIds(read, email_key, Number.MAX_SAFE_INTEGER);
      const forms = [];
      for (let at = 0; at < ids.length; at += CHUNK) {
        forms.push(...(await listForms(read, ids.slice(at, at + CHUNK))));
      }
      const others: Record<string, unknown> = {};
      for (const data of personData) {
        if (data.export) others[data.name] = await data.export(read, email_key);
      }
      return { address: email, exportedAt: clock(), forms, ...others };
    },

    /**
     * Erases everything stored about the person (docs/decisions/0027 lists what stays). Works in short
     * transactions; the person goes with the last one, so that an interrupted erasure can be requested again.
     * Concurrent calls erase once.
     */
    async erase(id: string, actor: Actor): Promise<Erasure> {
      const person = await findPerson(read, id);
      if (!person) return { ok: false, error: "unknown" };
      const { email_key } = person;
      if (await isSending(read, email_key)) return { ok: false, error: "email-in-progress" };

      // The entry does not name the person.
      const parts = auditInParts(deps, actor, "erase-person", (count) => formatCount(count, "submission"));
      await eraseOutside(email_key);
      for (;;) {
        const submissionIds = await listSubmissionIds(read, email_key, CHUNK + 1);
        const isLast = submissionIds.length <= CHUNK;
        const erased = await parts.write(async (trx) => {
          if (isLast && !(await eraseOthers(trx, email_key))) return undefined;
          return eraseSubmissions(trx, submissionIds.slice(0, CHUNK));
        });
        if (erased === undefined) return { ok: false, error: "email-in-progress" };
        if (isLast) break;
      }
      // What was stored meanwhile, such as emails handed to the outbox.
      await eraseOutside(email_key);
      return parts.done > 0 ? { ok: true, submissions: parts.done } : { ok: false, error: "unknown" };
    },
  };

  async function isSending(from: Read, emailKey: string): Promise<boolean> {
    for (const data of personData) {
      if (await data.isSending?.(from, emailKey)) return true;
    }
    return false;
  }

  /** Erases all but the submissions. @returns false, with nothing changed, while an email is being handed over. */
  async function eraseOthers(trx: Write, emailKey: string): Promise<boolean> {
    for (const data of personData) await data.lock?.(trx, emailKey);
    if (await isSending(trx, emailKey)) return false;
    for (const data of personData.toReversed()) await data.erase?.(trx, emailKey, clock());
    return true;
  }

  async function eraseOutside(emailKey: string): Promise<void> {
    for (const data of personData) await data.eraseOutside?.(emailKey);
  }
}
