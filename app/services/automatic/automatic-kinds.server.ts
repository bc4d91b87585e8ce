import { z } from "zod";
import type { Database, Read, Write } from "~/db/database.server";
import { AUTOMATIC_RULES, type AutomaticRule } from "~/lib/automatic-rules";
import { parseJson } from "~/lib/parse-json";
import { startOfDay } from "~/lib/utc-day";
import type { SkipReason } from "~/services/mail/delivery/delivery-result";
import type { AutomaticEmail } from "~/services/mail/email-parts";
import type { Email } from "~/services/mail/mailer";
import {
  FOR_GOOD_MS,
  isTooLate,
  type EmailKind,
  type TransactionalEmailRow,
} from "~/services/mail/transactional/email-kind";
import { requesterData } from "~/services/mail/transactional/requested-email";
import type { SuppressionReason } from "~/services/suppressions/suppression-reasons";

const automaticData = z.object({
  /** Id of the person when the email was asked for. */
  person: z.string(),
  /** Set where an operator sends an email again: the id of the form that asked, and who sent it. */
  resend: z.object({ id: z.string(), actor: requesterData }).optional(),
});

type AutomaticData = z.infer<typeof automaticData>;
export type AutomaticKind = EmailKind<AutomaticData>;
type AutomaticRow = TransactionalEmailRow<AutomaticData>;

export interface AutomaticKindOptions {
  readonly database: Pick<Database, "read">;
  readonly sender: Email["from"];
  readonly compose: (parts: AutomaticEmail) => Email;
  /** Absolute URL of the page on which the reader of an email unsubscribes. @param emailId its row's id. */
  readonly unsubscribeUrl: (emailId: string) => string;
  /** Returns the absolute URL of the page on which an address confirms itself; undefined when it has. */
  readonly getConfirmUrl: (recipient: {
    readonly address: string;
    readonly email_key: string;
  }) => Promise<string | undefined>;
}

/** Creates a kind for each rule. */
export function createAutomaticKinds(
  options: AutomaticKindOptions,
): Readonly<Record<AutomaticRule, AutomaticKind>> {
  return {
    "thank-you": createAutomaticKind("thank-you", options),
    welcome: createAutomaticKind("welcome", options),
    receipt: createAutomaticKind("receipt", options),
  };
}

const PLURALS: Readonly<Record<AutomaticRule, string>> = {
  "thank-you": "thank-you emails",
  welcome: "welcome emails",
  receipt: "receipts",
};

/** Creates the kind of one rule's emails: one for each person, and one for each time an operator sends it again. */
function createAutomaticKind(rule: AutomaticRule, options: AutomaticKindOptions): AutomaticKind {
  const { database, sender, compose, unsubscribeUrl, getConfirmUrl } = options;
  return {
    name: rule,
    plural: PLURALS[rule],
    allowanceClass: "automatic",
    data: automaticData,
    getKey: ({ person, resend }) => (resend ? `${person}.${resend.id}` : person),
    // The row is also what keeps a person from a second one.
    retentionMs: FOR_GOOD_MS,
    queued: {
      async listSkipped(trx, emails, now) {
        const { skips, textId } = await decide(trx, rule, emails, now);
        const going = emails.filter(({ id }) => !skips.has(id));
        await setText(trx, going, textId);
        await setText(
          trx,
          emails.filter(({ id }) => skips.has(id)),
          "",
        );
        return skips;
      },

      async compose({ id, address, email_key, message_id: messageId }) {
        // The claim has chosen the text.
        const email = await findEmailText(database.read, id);
        if (!email) throw new Error("The email's text or its person is gone");
        const { subject, message, format, name, company, role } = email;
        const confirmUrl = rule === "thank-you" ? await getConfirmUrl({ address, email_key }) : undefined;
        return compose({
          rule,
          messageId,
          subject,
          message,
          format,
          sender,
          recipient: { name, company, role, address },
          unsubscribeUrl: unsubscribeUrl(id),
          confirmUrl,
        });
      },
    },
  };
}

/**
 * Finds the text that an email is sent with, and what is known of its person, whose address may have been corrected since.
 * @returns undefined when the email, its text or its person is gone.
 */
export async function findEmailText(read: Read, id: string) {
  const email = await read
    .selectFrom("transactional_emails")
    .innerJoin("automatic_texts", "automatic_texts.id", "transactional_emails.text_id")
    .select(["rule", "subject", "message", "format", "address", "email_key", "message_id", "data"])
    .where("transactional_emails.id", "=", id)
    .executeTakeFirst();
  if (!email) return undefined;
  const { person: personId } = automaticData.parse(parseJson(email.data));
  const people = read.selectFrom("people").select(["name", "company", "role"]);
  const person =
    (await people.where("id", "=", personId).executeTakeFirst()) ??
    // Merged with another one since.
    (await people.where("email_key", "=", email.email_key).executeTakeFirst());
  return person && { ...email, ...person };
}

/** Decides which claimed emails of a rule go, in the claim's transaction, and with which text. */
async function decide(trx: Write, rule: AutomaticRule, emails: readonly AutomaticRow[], now: number) {
  const keys = [...new Set(emails.map(({ email_key }) => email_key))].sort();
  const inForce = await trx
    .selectFrom("automatic_rules")
    .select(["is_on", "text_id"])
    .where("rule", "=", rule)
    .executeTakeFirst();
  // Locked, so that two instances that claim emails to one person see each other's.
  const people = await trx
    .selectFrom("people")
    .select("email_key")
    .where("email_key", "in", keys)
    .where("first_signup_at", "is not", null)
    .orderBy("email_key")
    .forUpdate()
    .execute();
  const known = new Set(people.map(({ email_key }) => email_key));
  const suppressed = await trx
    .selectFrom("suppressions")
    .select(["email_key", "reason"])
    .where("email_key", "in", keys)
    .execute();
  const suppressions = new Map(suppressed.map(({ email_key, reason }) => [email_key, reason]));
  const answered = await listAnsweredToday(trx, emails, keys, now);

  const skips = new Map<string, SkipReason>();
  for (const email of emails.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { id, email_key, data } = email;
    const suppression = suppressions.get(email_key);
    if (suppression) skips.set(id, toSkipReason(suppression));
    else if (!known.has(email_key)) skips.set(id, "gone");
    else if (inForce?.is_on !== 1) skips.set(id, "rule-off");
    else if (isTooLate(email, now)) skips.set(id, "too-late");
    // An operator who sends one again has reason to.
    else if (answered.has(email_key) && !data.resend) skips.set(id, "daily-limit");
    else answered.add(email_key);
  }
  return { skips, textId: inForce?.text_id ?? "" };
}

/**
 * Lists the addresses that got an automatic email of any rule on this UTC day, may have, or are about to. Of claimed emails
 * only those that may go have a text; claimed before midnight, one arrives on this day all the same.
 */
async function listAnsweredToday(
  trx: Write,
  emails: readonly AutomaticRow[],
  keys: readonly string[],
  now: number,
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom("transactional_emails")
    .select("email_key")
    .where("email_key", "in", keys)
    .where("kind", "in", AUTOMATIC_RULES)
    .where(
      "id",
      "not in",
      emails.map(({ id }) => id),
    )
    .where(({ or, and, eb }) =>
      or([
        and([eb("state", "=", "claimed"), eb("text_id", "<>", "")]),
        and([eb("state", "in", ["sent", "uncertain"]), eb("updated_at", ">=", startOfDay(now))]),
        // In flight at a crash, it may have arrived before it is sent again.
        and([
          eb("state", "=", "retrying"),
          eb("resent_after_crash", "=", 1),
          eb("updated_at", ">=", startOfDay(now)),
        ]),
      ]),
    )
    .execute();
  return new Set(rows.map(({ email_key }) => email_key));
}

function toSkipReason(reason: SuppressionReason): SkipReason {
  if (reason === "unsubscribed") return "unsubscribed";
  return reason === "bounced" || reason === "refused" ? "bounced" : "suppressed";
}

async function setText(trx: Write, emails: readonly AutomaticRow[], text_id: string): Promise<void> {
  const ids = emails.filter((email) => email.text_id !== text_id).map(({ id }) => id);
  if (ids.length === 0) return;
  await trx.updateTable("transactional_emails").set({ text_id }).where("id", "in", ids).execute();
}
