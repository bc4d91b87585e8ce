import type { Database, Write } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import { grouped } from "~/lib/format-number";
import type { Provenance } from "~/services/audit/audit.server";
import { recordAudit, updateAuditSubject } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { OutboxEraser } from "~/services/mail/outbox.server";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { eraseEmails, isEmailInProgress } from "./erase-emails.server";
import { findAddress, listSubmissionIds } from "./person-rows.server";

/** Rows per transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;

/**
 * "unknown": no submission has this id any more. "mail-under-way": an email is being handed to the mail server,
 * and its result would record the address again.
 */
export type Erasure =
  | { ok: true; kind: SubmissionKind; submissions: number }
  | { ok: false; error: "unknown" | "mail-under-way" };

/**
 * Erases everything stored about the person whose submission this is (docs/decisions/0027 lists what stays).
 * Works in short transactions; the submission that names the person goes with the last one, so that an
 * interrupted erasure can be requested again. Concurrent calls erase once.
 */
export async function erasePerson(
  deps: { database: Database; outbox: OutboxEraser | undefined; clock: Clock; newId: NewId },
  submissionId: string,
  { by, network, requestId }: Provenance & { readonly by: string },
): Promise<Erasure> {
  const { database, outbox, clock, newId } = deps;
  const { read } = database;
  const person = await findAddress(read, submissionId);
  if (!person) return { ok: false, error: "unknown" };
  const { email_key, kind } = person;
  if (await isEmailInProgress(read, email_key)) return { ok: false, error: "mail-under-way" };

  const entry = { id: newId(), at: clock(), actor: by, action: "erase-person", outcome: "ok" } as const;
  let submissions = 0;
  /**
   * One audit entry describes the whole action without naming the person, and is correct after each
   * transaction.
   */
  const recordProgress = (trx: Write, erased: number) => {
    const subject = formatSubject(submissions + erased);
    if (submissions > 0) return updateAuditSubject(trx, entry.id, subject);
    return recordAudit(trx, { ...entry, subject, network, requestId });
  };

  await outbox?.eraseAllTo(email_key);
  for (;;) {
    const some = await listSubmissionIds(read, email_key, CHUNK + 1);
    const others = some.filter((id) => id !== submissionId).slice(0, CHUNK);
    const isLast = some.length <= CHUNK;
    const result = await database.write(async (trx): Promise<Erasure> => {
      if (!isLast) {
        const erased = await eraseSubmissions(trx, others);
        if (erased > 0) await recordProgress(trx, erased);
        return { ok: true, kind, submissions: erased };
      }
      const now = clock();
      if (!(await eraseEmails(trx, database.dialect, email_key, now))) {
        return { ok: false, error: "mail-under-way" };
      }
      const erased = await eraseSubmissions(trx, [...others, submissionId]);
      if (erased > 0) await recordProgress(trx, erased);
      return { ok: true, kind, submissions: erased };
    });
    if (!result.ok) return result;
    submissions += result.submissions;
    if (isLast) break;
  }
  // Emails that were handed to the outbox meanwhile.
  await outbox?.eraseAllTo(email_key);
  return submissions > 0 ? { ok: true, kind, submissions } : { ok: false, error: "unknown" };
}

function formatSubject(submissions: number): string {
  return `${grouped(submissions)} ${submissions === 1 ? "submission" : "submissions"}`;
}
