import type { Read, Write } from "~/db/database.server";
import { getDomain } from "~/lib/example-domain";
import { formatCount } from "~/lib/format-number";
import { auditInParts, createAudit, type Actor } from "~/services/audit/audit.server";
import { findConfirmation } from "~/services/confirmations/confirmation-person-data.server";
import { listReports } from "~/services/bounces/bounce-person-data.server";
import { listStoredEmails } from "~/services/mail/outbox-person-data.server";
import {
  countSentTransactional,
  listTransactionalEmails,
} from "~/services/mail/transactional/transactional-person-data.server";
import {
  countDeliveriesTo,
  countSentTo,
  listDeliveriesTo,
} from "~/services/outreach/delivery-person-data.server";
import type { ServiceDeps } from "~/services/service-deps";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { findSuppression } from "~/services/suppressions/suppression-person-data.server";
import { findInvitation } from "~/services/waves/wave-invitations.server";
import { listCorrections, listFormerAddresses } from "./corrections-person-data.server";
import { listNotes } from "./notes.server";
import type { PersonData } from "./person-data";
import { findPeople, findPerson, listSubmissions, listSubmissionIds } from "./person-rows.server";

/** Submissions an export reads at a time, and an erasure erases in a transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;
/** Deliveries to an address that are counted at most. */
const MAX_COUNTED = 1000;
/** Former addresses whose history a page shows. */
const MAX_FORMER_SHOWN = 5;

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

    /**
     * Finds the data for a page: the newest `limit` entries of each kind, those about the latest former addresses among
     * them. Undefined for an unknown id. A bounded number of lookups, each in an index.
     */
    async find(id: string, { limit }: { limit: number }) {
      const person = await findPerson(read, id);
      if (!person) return undefined;
      const { email: address, email_key, first_signup_at: firstSignupAt, ...fields } = person;
      const former = await listFormerAddresses(read, person.id, MAX_FORMER_SHOWN);
      const keys = [email_key, ...former.map(({ key }) => key)];
      const countAll = async (count: (key: string) => Promise<number>) =>
        (await Promise.all(keys.map(count))).reduce((sum, each) => sum + each, 0);
      const ofAll = async <Row>(list: (key: string) => Promise<Row[]>) =>
        (await Promise.all(keys.map(list))).flat();
      const [
        ids,
        emails,
        deliveryCount,
        emailCount,
        otherEmails,
        otherEmailCount,
        confirmations,
        suppressions,
        reports,
        outbox,
        notes,
        corrections,
        invitation,
      ] = await Promise.all([
        listSubmissionIds(read, email_key, limit + 1),
        ofAll((key) => listDeliveriesTo(read, key, limit + 1)),
        countAll((key) => countDeliveriesTo(read, key, MAX_COUNTED)),
        countAll((key) => countSentTo(read, key, MAX_COUNTED)),
        ofAll((key) => listTransactionalEmails(read, key, limit + 1)),
        countAll((key) => countSentTransactional(read, key, limit)),
        Promise.all(keys.map((key) => findConfirmation(read, key))),
        Promise.all(keys.map((key) => findSuppression(read, key))),
        ofAll((key) => listReports(read, key, limit + 1)),
        ofAll((key) => listStoredEmails(read, key, limit + 1)),
        listNotes(read, person.id, limit + 1),
        listCorrections(read, person.id, limit + 1),
        findInvitation(read, person.id),
      ]);
      const newest = <Row>(rows: readonly Row[], getTime: (row: Row) => number) =>
        rows.toSorted((a, b) => getTime(b) - getTime(a)).slice(0, limit);
      return {
        address,
        domain: getDomain(email_key),
        ...fields,
        firstSignupAt,
        formerAddresses: former.map((one) => one.address),
        forms: await listSubmissions(read, ids.slice(0, limit)),
        hasMoreForms: ids.length > limit,
        emails: newest(emails, ({ updated_at }) => updated_at),
        otherEmails: newest(otherEmails, ({ updated_at }) => updated_at),
        reports: newest(reports, ({ happened_at }) => happened_at),
        outbox: newest(outbox, ({ created_at }) => created_at),
        notes: notes.slice(0, limit),
        corrections: corrections.slice(0, limit),
        /** Whether there is more of any kind than is listed. */
        hasMore: [ids, emails, otherEmails, reports, outbox, notes, corrections].some(
          (rows) => rows.length > limit,
        ),
        /** Deliveries in any state, which an erasure takes the address from. */
        deliveryCount,
        /** Emails of campaigns, and others, that were sent or may have been. */
        emailCount,
        otherEmailCount,
        invitation,
        confirmation: confirmations[0],
        confirmations: confirmations.filter((one) => one !== undefined),
        suppression: suppressions[0],
        suppressions: suppressions.filter((one) => one !== undefined),
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
        forms.push(...(await listSubmissions(read, ids.slice(at, at + CHUNK))));
      }
      const others = await exportOthers(email_key);
      const formerAddresses = [];
      for (const { key, address } of await listFormerAddresses(read, person.id)) {
        formerAddresses.push({ address, ...(await exportOthers(key)) });
      }
      return { address: email, exportedAt: clock(), forms, ...others, formerAddresses };
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
      const former = await listFormerAddresses(read, person.id);
      const keys = [email_key, ...former.map(({ key }) => key)];
      if (await isSending(read, keys)) return { ok: false, error: "email-in-progress" };

      // The entry does not name the person.
      const parts = auditInParts(deps, actor, "erase-person", (count) => formatCount(count, "submission"));
      await eraseOutside(keys);
      for (;;) {
        const submissionIds = await listSubmissionIds(read, email_key, CHUNK + 1);
        const isLast = submissionIds.length <= CHUNK;
        const erased = await parts.write(async (trx) => {
          if (isLast && !(await eraseOthers(trx, keys))) return undefined;
          return eraseSubmissions(trx, submissionIds.slice(0, CHUNK));
        });
        if (erased === undefined) return { ok: false, error: "email-in-progress" };
        if (isLast) break;
      }
      // What was stored meanwhile, such as emails handed to the outbox.
      await eraseOutside(keys);
      return parts.done > 0 ? { ok: true, submissions: parts.done } : { ok: false, error: "unknown" };
    },
  };

  /** Reads what the other capabilities hold about an address. */
  async function exportOthers(emailKey: string): Promise<Record<string, unknown>> {
    const others: Record<string, unknown> = {};
    for (const data of personData) {
      if (data.export) others[data.name] = await data.export(read, emailKey);
    }
    return others;
  }

  async function isSending(from: Read, emailKeys: readonly string[]): Promise<boolean> {
    for (const key of emailKeys) {
      for (const data of personData) {
        if (await data.isSending?.(from, key)) return true;
      }
    }
    return false;
  }

  /** Erases all but the submissions. @returns false, with nothing changed, while an email is being handed over. */
  async function eraseOthers(trx: Write, emailKeys: readonly string[]): Promise<boolean> {
    for (const key of emailKeys) {
      for (const data of personData) await data.lock?.(trx, key);
    }
    if (await isSending(trx, emailKeys)) return false;
    for (const key of emailKeys) {
      for (const data of personData.toReversed()) await data.erase?.(trx, key, clock());
    }
    return true;
  }

  async function eraseOutside(emailKeys: readonly string[]): Promise<void> {
    for (const key of emailKeys) {
      for (const data of personData) await data.eraseOutside?.(key);
    }
  }
}
