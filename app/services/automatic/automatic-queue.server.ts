import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { RULE_OF_FORM, type AutomaticRule } from "~/lib/automatic-rules";
import { isSettled } from "~/services/mail/delivery/delivery-result";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { AutomaticKind } from "./automatic-kinds.server";

/**
 * Queues the emails that answer forms by themselves.
 *
 * Contract
 * - `add` runs in the transaction that accepts the submissions, after their people were written. It queues nothing for
 *   a rule that is off, nor a second email of a rule for one person.
 * - The caller wakes the queue's worker after that transaction, where `add` returned true.
 */
export interface AutomaticQueue {
  /** @returns whether anything was queued. */
  add(
    trx: Write,
    submissions: readonly Pick<SubmissionsTable, "kind" | "email" | "email_key">[],
  ): Promise<boolean>;
}

/** Answers no form. */
export const noAutomaticEmails: AutomaticQueue = { add: async () => false };

interface AutomaticQueueDeps {
  readonly emails: Pick<TransactionalEmails, "add">;
  readonly kinds: Readonly<Record<AutomaticRule, AutomaticKind>>;
}

export function createAutomaticQueue({ emails, kinds }: AutomaticQueueDeps): AutomaticQueue {
  return {
    async add(trx, submissions) {
      if (submissions.length === 0) return false;
      const rows = await trx.selectFrom("automatic_rules").select("rule").where("is_on", "=", 1).execute();
      const areOn = new Set(rows.map(({ rule }) => rule));
      let isAdded = false;
      for (const { kind, email, email_key } of submissions) {
        const rule = RULE_OF_FORM[kind];
        if (!areOn.has(rule)) continue;
        const person = await findPerson(trx, email_key);
        if (person === undefined || (await isAnswered(trx, rule, { person, email_key }))) continue;
        if (await emails.add(trx, kinds[rule], { address: email, data: { person } })) isAdded = true;
      }
      return isAdded;
    },
  };
}

async function findPerson(trx: Write, email_key: string): Promise<string | undefined> {
  const people = trx.selectFrom("people").select("id").where("email_key", "=", email_key);
  return (await people.executeTakeFirst())?.id;
}

/**
 * Returns whether a person has an email of a rule that was not skipped, also one that an operator sent again, to the address they
 * have now or to one before a correction. Takes no lock: a claim locks the email and then the person, whom this transaction has
 * locked, so locking the email here would deadlock.
 */
async function isAnswered(
  trx: Write,
  rule: AutomaticRule,
  { person, email_key }: { person: string; email_key: string },
): Promise<boolean> {
  const email = await trx
    .selectFrom("transactional_emails")
    .select("state")
    .where("kind", "=", rule)
    .where("unique_key", "=", person)
    .executeTakeFirst();
  if (email?.state !== "skipped") return email !== undefined;
  const former = await trx
    .selectFrom("person_corrections")
    .select("former_key")
    .where("person_id", "=", person)
    .where("former_key", "<>", "")
    .execute();
  const resent = await trx
    .selectFrom("transactional_emails")
    .select(["kind", "state", "email_key"])
    .where("email_key", "in", [email_key, ...former.map(({ former_key }) => former_key)])
    .where("unique_key", "like", `${person}.%`)
    .where("state", "<>", "skipped")
    .execute();
  // One that waits for a former address is skipped when it is claimed.
  return resent.some((one) => one.kind === rule && (one.email_key === email_key || isSettled(one.state)));
}
