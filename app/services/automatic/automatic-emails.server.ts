import { sql } from "kysely";
import { fetchPage } from "~/db/rows";
import type { DeliveryState } from "~/db/tables/outreach";
import { FORM_OF_RULE, isAutomaticRule, type AutomaticRule } from "~/lib/automatic-rules";
import type { Sample } from "~/lib/email-sample";
import type { ListPage } from "~/lib/list-page";
import { parseJson } from "~/lib/parse-json";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import { isSettled } from "~/services/mail/delivery/delivery-result";
import { AUTOMATIC_HEADERS } from "~/services/mail/email-headers";
import type { AutomaticEmail } from "~/services/mail/email-parts";
import { SEND_TIMEOUT_MS } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import { toRequester } from "~/services/mail/transactional/requested-email";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import {
  findSampleRecipients,
  toPreviewText,
  toTestEmailOutcome,
  type TestEmailKind,
} from "~/services/outreach/sample-email.server";
import { findPeople } from "~/services/people/person-rows.server";
import type { ServiceDeps } from "~/services/service-deps";
import { getSuppressionReason } from "~/services/suppressions/suppressions.server";
import { findEmailText, type AutomaticKind } from "./automatic-kinds.server";
import type { AutomaticContent, createAutomaticRules } from "./automatic-rules.server";

/** Written out: the databases use the indexes of these kinds only then. */
const IS_AUTOMATIC = sql<boolean>`kind in ('thank-you', 'welcome', 'receipt')`;

interface AutomaticEmailsDeps extends ServiceDeps {
  readonly rules: Pick<ReturnType<typeof createAutomaticRules>, "get">;
  readonly emails: Pick<TransactionalEmails, "add" | "send">;
  readonly kinds: Readonly<Record<AutomaticRule, AutomaticKind>>;
  /** Wakes the queue's worker, for there is an email to send. */
  readonly wake: () => void;
  readonly testKind: TestEmailKind;
  readonly sender: Email["from"];
  readonly mailDomain: string;
  readonly compose: (parts: AutomaticEmail) => Email;
  /** Absolute; identify nobody. */
  readonly deadUnsubscribeUrl: string;
  readonly deadConfirmUrl: string;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * - unknown: there is no such email any more.
 * - waiting: it is still on its way, or a form of its person has queued another one since, which is.
 * - rule-off: its rule is off.
 * - gone: nobody is signed up with its address any more.
 * - suppressed: the address gets no email.
 */
export type Resending =
  { ok: true } | { ok: false; error: "unknown" | "waiting" | "rule-off" | "gone" | "suppressed" };

/** Emails of a rule by what became of them. */
export type AutomaticCounts = Record<"sent" | "waiting" | "failed" | "uncertain" | "skipped", number> & {
  readonly skippedByReason: Readonly<Record<string, number>>;
};

/** Creates what operators see of the emails that answer forms, and do with them. */
export function createAutomaticEmails(deps: AutomaticEmailsDeps) {
  const { database, emails, kinds, wake, rules, setTimer } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  async function previewEmail(rule: AutomaticRule): Promise<Record<Sample, Email>> {
    const { content } = await rules.get(rule);
    return composeSamples(rule, content, { id: "preview", fallback: deps.sender.address });
  }

  return {
    previewEmail,

    async previewText(rule: AutomaticRule) {
      return toPreviewText(await previewEmail(rule));
    },

    /** Sends the saved text of a rule to the actor, at once and once, with links that do nothing. */
    async sendTest(rule: AutomaticRule, actor: Actor) {
      const { content } = await rules.get(rule);
      const { by: address } = actor;
      const { first } = await composeSamples(rule, content, { id: "test", fallback: address });
      const data = { actor: toRequester(actor) };
      const to = { name: "", address };
      const compose = (messageId: string) => ({ ...first, messageId, to, headers: AUTOMATIC_HEADERS });
      const sending = emails.send(deps.testKind, { address, data }, { compose });
      return toTestEmailOutcome(await within(SEND_TIMEOUT_MS, sending, setTimer));
    },

    /** Counts the emails of each rule, from indexes alone. */
    async countEmails(): Promise<Record<AutomaticRule, AutomaticCounts>> {
      const [states, skips] = await Promise.all([
        database.longRead
          .selectFrom("transactional_emails")
          .select(({ fn }) => ["kind", "state", fn.countAll<number>().as("count")])
          .where(IS_AUTOMATIC)
          .groupBy(["kind", "state"])
          .execute(),
        database.longRead
          .selectFrom("transactional_emails")
          .select(({ fn }) => ["kind", "detail", fn.countAll<number>().as("count")])
          .where(sql<boolean>`state = 'skipped'`)
          .where(IS_AUTOMATIC)
          .groupBy(["kind", "detail"])
          .execute(),
      ]);
      const toCounts = (rule: AutomaticRule): AutomaticCounts => {
        const count = (...of: DeliveryState[]) =>
          states
            .filter(({ kind, state }) => kind === rule && of.includes(state))
            .reduce((sum, row) => sum + row.count, 0);
        const reasons = skips.filter(({ kind }) => kind === rule).map((row) => [row.detail, row.count]);
        return {
          sent: count("sent"),
          waiting: count("pending", "claimed", "retrying"),
          failed: count("failed"),
          uncertain: count("uncertain"),
          skipped: count("skipped"),
          skippedByReason: Object.fromEntries(reasons),
        };
      };
      return {
        "thank-you": toCounts("thank-you"),
        welcome: toCounts("welcome"),
        receipt: toCounts("receipt"),
      };
    },

    /** Lists the emails of a rule, newest first, with the id of the person whose address it is now. */
    async listEmails(rule: AutomaticRule, page: ListPage) {
      const query = read
        .selectFrom("transactional_emails")
        .select(["id", "address", "state", "detail", "data", "text_id", "created_at", "updated_at"])
        .where("kind", "=", rule)
        .where(IS_AUTOMATIC);
      const rows = await fetchPage(query, page);
      const people = await findPeople(
        read,
        rows.map(({ address }) => address),
      );
      return rows.map(({ data, text_id, address, ...row }) => ({
        ...row,
        address,
        personId: people.get(address.toLowerCase()),
        /** Who sent it again; undefined where a form caused it. */
        resentBy: kinds[rule].data.safeParse(parseJson(data)).data?.resend?.actor.by,
        hasText: text_id !== "" && row.state !== "skipped",
      }));
    },

    /** Composes an email as it was sent, with what is known of the person now and links that do nothing. */
    async composeSent(id: string): Promise<Email | undefined> {
      const email = await findEmailText(read, id);
      if (!email) return undefined;
      const { rule, name, company, role, address } = email;
      return composeFor(rule, email, { name, company, role, address }, email.message_id);
    },

    /**
     * Sends an email again, to the address that its person has now and with the text of today, also where that got
     * an automatic email today.
     * @param resendId of the form that asks: sent twice, it is one email.
     */
    async resend(id: string, resendId: string, actor: Actor): Promise<Resending> {
      const outcome = await database.write(async (trx): Promise<Resending> => {
        // An erasure of the person waits, or has erased it before.
        const email = await trx
          .selectFrom("transactional_emails")
          .select(["kind", "state", "data", "email_key"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (!email || !isAutomaticRule(email.kind)) return { ok: false, error: "unknown" };
        const kind = kinds[email.kind];
        if (!isSettled(email.state)) return { ok: false, error: "waiting" };
        const rule = await trx
          .selectFrom("automatic_rules")
          .select("is_on")
          .where("rule", "=", email.kind)
          .executeTakeFirst();
        if (rule?.is_on !== 1) return { ok: false, error: "rule-off" };
        const { person: personId } = kind.data.parse(parseJson(email.data));
        const people = trx
          .selectFrom("people")
          .select(["id", "email"])
          .where("first_signup_at", "is not", null)
          // So that a form of the person, or a correction of their address, comes before this or after it.
          .forUpdate();
        const person =
          (await people.where("id", "=", personId).executeTakeFirst()) ??
          (await people.where("email_key", "=", email.email_key).executeTakeFirst());
        if (!person) return { ok: false, error: "gone" };
        const caused = await trx
          .selectFrom("transactional_emails")
          .select("state")
          .where("kind", "=", email.kind)
          .where("unique_key", "=", person.id)
          .executeTakeFirst();
        if (caused && !isSettled(caused.state)) return { ok: false, error: "waiting" };
        if (await getSuppressionReason({ read: trx }, person.email))
          return { ok: false, error: "suppressed" };
        const data = { person: person.id, resend: { id: resendId, actor: toRequester(actor) } };
        if (await emails.add(trx, kind, { address: person.email, data })) {
          const subject = `${person.email} (${email.kind})`;
          await audit(trx, actor, { action: "resend-automatic-email", subject });
        }
        return { ok: true };
      });
      if (outcome.ok) wake();
      return outcome;
    },
  };

  /** Composes the email as sending does, for the first person who sent the form, with links that do nothing. */
  async function composeSamples(
    rule: AutomaticRule,
    content: AutomaticContent,
    { id, fallback }: { id: string; fallback: string },
  ): Promise<Record<Sample, Email>> {
    const audience = { audience: FORM_OF_RULE[rule] };
    const { first, nameless } = await findSampleRecipients(database, audience, { fallback });
    const compose = (recipient: AutomaticEmail["recipient"]) =>
      composeFor(rule, content, recipient, `<${id}@${deps.mailDomain}>`);
    return { first: compose(first), nameless: compose(nameless) };
  }

  function composeFor(
    rule: AutomaticRule,
    { subject, message, format }: AutomaticContent,
    recipient: AutomaticEmail["recipient"],
    messageId: string,
  ): Email {
    const { sender, deadUnsubscribeUrl: unsubscribeUrl, deadConfirmUrl } = deps;
    const confirmUrl = rule === "thank-you" ? deadConfirmUrl : undefined;
    return deps.compose({
      rule,
      messageId,
      subject,
      message,
      format,
      recipient,
      sender,
      unsubscribeUrl,
      confirmUrl,
    });
  }
}
