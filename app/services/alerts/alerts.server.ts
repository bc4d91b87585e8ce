import type { Write } from "~/db/database.server";
import type { AlertChoicesTable, AlertsTable } from "~/db/tables/alerts";
import type { TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import { ALERT_EVENTS, DEFAULT_HOUR, type AlertEvent } from "~/lib/alert-choices";
import { emailKey } from "~/lib/email-address";
import type { SetTimer } from "~/lib/set-timer";
import { isUuid } from "~/lib/uuid";
import { within } from "~/lib/within";
import { createAudit, type Actor, type Provenance } from "~/services/audit/audit.server";
import type { TransactionalEmail } from "~/services/mail/email-parts";
import { SEND_TIMEOUT_MS } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import { toRequester } from "~/services/mail/transactional/requested-email";
import { getEmailState, toEmailState, type EmailState } from "~/services/mail/transactional/email-state";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { TestEmailKind } from "~/services/outreach/sample-email.server";
import { recordInPassing } from "~/services/record-in-passing.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { getSuppressionReason } from "~/services/suppressions/suppressions.server";
import { getLastDueDay } from "./daily";

/** What an operator chose. */
export type AlertChoices = Pick<AlertChoicesTable, AlertEvent | "summary" | "hour">;

const NO_ALERTS: AlertChoices = {
  inquiry: "off",
  campaign: "off",
  incident: "off",
  summary: "off",
  hour: DEFAULT_HOUR,
};

/** The newest alert or test email to an account's address: also a test of a campaign that was sent there. */
export interface LastAlertEmail {
  readonly isTest: boolean;
  readonly at: number;
  readonly tookMs: number;
  readonly state: EmailState;
}

interface AlertsDeps extends ServiceDeps {
  readonly emails: Pick<TransactionalEmails, "send">;
  readonly testKind: TestEmailKind;
  readonly sender: Email["from"];
  readonly composeTest: (email: TransactionalEmail) => Email;
  /** For tests. */
  readonly setTimer?: SetTimer | undefined;
}

/**
 * Lets operators choose, each for themselves, what they are told about by email. Told at once means: the first event,
 * and then nothing until they opened the page that it is on (docs/decisions/0117).
 */
export function createAlerts(deps: AlertsDeps) {
  const { database, clock, emails } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  return {
    /**
     * Returns an account's choices, what it was told about and has not opened, what became of its last email, and
     * the one that did not reach it, as `isUnreached` says.
     */
    async getView({ accountId, email }: Pick<SignedIn, "accountId" | "email">) {
      const [choices, unopened, suppression, lastEmail, lostEmail] = await Promise.all([
        findChoices(accountId),
        listUnopened(accountId),
        getSuppressionReason(database, email),
        findLastEmail(email),
        findLostEmail(email),
      ]);
      return {
        choices,
        unopened,
        suppression,
        lastEmail,
        lostEmail: isTold(choices) ? lostEmail : undefined,
      };
    },

    /**
     * Returns whether an account chose to be told something, and an alert or test to it was refused for good or not
     * sent, with none accepted since.
     */
    async isUnreached({ accountId, email }: Pick<SignedIn, "accountId" | "email">): Promise<boolean> {
      return isTold(await findChoices(accountId)) && (await findLostEmail(email)) !== undefined;
    },

    /**
     * Stores the choices of an account. What it was to be told is told as it chose now, and not at all where it chose
     * so. The daily email begins with the next time its hour comes.
     */
    async choose(operator: SignedIn, choices: AlertChoices, origin: Provenance): Promise<void> {
      const { accountId, email, timeZone } = operator;
      await database.write(async (trx) => {
        const before = await trx
          .selectFrom("alert_choices")
          .selectAll()
          .where("account_id", "=", accountId)
          .forUpdate()
          .executeTakeFirst();
        if (isSame(before ?? NO_ALERTS, choices)) return;
        const last_day =
          before && hasDailyEmail(before)
            ? before.last_day
            : getLastDueDay(clock(), { hour: choices.hour, timeZone });
        await trx
          .insertInto("alert_choices")
          .values({ account_id: accountId, ...choices, last_day })
          .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ ...choices, last_day }))
          .execute();
        await forget(trx, accountId, choices);
        await audit(trx, { ...origin, by: email }, { action: "choose-alerts", subject: "" });
      });
    },

    /**
     * Records that an account opens the page of an event: it is told again when the next one happens. To be called
     * before the page's rows are read, so that what is not on the page yet is told. A slow write is not waited for.
     */
    async open(accountId: string, event: AlertEvent, subject = ""): Promise<void> {
      // The subject comes from a URL.
      if (subject !== "" && !isUuid(subject)) return;
      const seen = await read
        .selectFrom("alerts")
        .select(["last_at", "count"])
        .where("account_id", "=", accountId)
        .where("event", "=", event)
        .where("subject", "=", subject)
        .where("told_at", "is not", null)
        .executeTakeFirst();
      if (!seen) return;
      await recordInPassing(database.write((trx) => markOpened(trx, { accountId, event, subject, seen })));
    },

    /**
     * Sends an email to the actor, at once and once.
     * @returns what became of it; "queued" after 30 s without an answer, which `getView` has once it comes.
     */
    async sendTest(actor: Actor): Promise<EmailState["kind"]> {
      const { testKind, sender, composeTest } = deps;
      const { by: address } = actor;
      const sending = emails.send(
        testKind,
        { address, data: { actor: toRequester(actor) } },
        { compose: (messageId) => composeTest({ address, sender, messageId }) },
      );
      return toEmailState(await within(SEND_TIMEOUT_MS, sending, deps.setTimer)).kind;
    },
  };

  async function findChoices(accountId: string): Promise<AlertChoices> {
    const choices = await read
      .selectFrom("alert_choices")
      .select([...ALERT_EVENTS, "summary", "hour"])
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    return choices ?? NO_ALERTS;
  }

  /** Lists what an account was told about at once and has not opened, by event. */
  async function listUnopened(
    accountId: string,
  ): Promise<Pick<AlertsTable, "event" | "subject" | "told_at">[]> {
    return read
      .selectFrom("alerts")
      .select(["event", "subject", "told_at"])
      .where("account_id", "=", accountId)
      .where("told_at", "is not", null)
      .orderBy("event")
      .orderBy("told_at")
      .execute();
  }

  /** @param states limits it to emails in these. */
  async function findLastEmail(
    email: string,
    states?: readonly TransactionalEmailsTable["state"][],
  ): Promise<LastAlertEmail | undefined> {
    const row = await read
      .selectFrom("transactional_emails")
      .select(["kind", "state", "detail", "created_at", "updated_at"])
      .where("email_key", "=", emailKey(email))
      .where("kind", "in", ["alert", "test"])
      .$if(states !== undefined, (query) => query.where("state", "in", states ?? []))
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return (
      row && {
        isTest: row.kind === "test",
        at: row.created_at,
        tookMs: row.updated_at - row.created_at,
        state: getEmailState(row),
      }
    );
  }

  /** Finds the newest email whose end is certain, unless it was accepted: it did not arrive, and is not tried again. */
  async function findLostEmail(email: string): Promise<LastAlertEmail | undefined> {
    const ended = await findLastEmail(email, ["sent", "failed", "skipped"]);
    return ended?.state.kind === "accepted" ? undefined : ended;
  }
}

const isTold = (choices: AlertChoices): boolean =>
  hasDailyEmail(choices) || ALERT_EVENTS.some((event) => choices[event] === "at-once");

/** Removes what an account does not want to be told any more, and the marks of what it was told at once before. */
async function forget(trx: Write, accountId: string, choices: AlertChoices): Promise<void> {
  for (const event of ALERT_EVENTS) {
    const choice = choices[event];
    if (choice === "at-once") continue;
    await trx
      .deleteFrom("alerts")
      .where("account_id", "=", accountId)
      .where("event", "=", event)
      .$if(choice === "daily", (query) => query.where("told_at", "is not", null))
      .execute();
  }
}

interface Opening {
  readonly accountId: string;
  readonly event: AlertEvent;
  readonly subject: string;
  /** The row when the page was opened: all that the page shows, also what came after the email. */
  readonly seen: Pick<AlertsTable, "last_at" | "count">;
}

async function markOpened(trx: Write, { accountId, event, subject, seen }: Opening): Promise<void> {
  await trx
    .deleteFrom("alerts")
    .where("account_id", "=", accountId)
    .where("event", "=", event)
    .where("subject", "=", subject)
    .where("told_at", "is not", null)
    .where("last_at", "=", seen.last_at)
    .where("count", "=", seen.count)
    .execute();
  // What was committed since, while this waited, may not be on the page: it is told again. With no more events than were seen
  // somebody else removed the row meanwhile, and all events of this one came since.
  await trx
    .updateTable("alerts")
    .set((row) => ({
      told_at: null,
      count: row
        .case()
        .when("count", ">", seen.count)
        .then(row("count", "-", seen.count))
        .else(row.ref("count"))
        .end(),
      // Nothing that was seen is named again, unless what came since happened before it.
      since: row
        .case()
        .when("last_at", ">", seen.last_at)
        .then(seen.last_at + 1)
        .else(row.ref("since"))
        .end(),
    }))
    .where("account_id", "=", accountId)
    .where("event", "=", event)
    .where("subject", "=", subject)
    .where("told_at", "is not", null)
    .execute();
}

const hasDailyEmail = (choices: AlertChoices): boolean =>
  choices.summary === "daily" || ALERT_EVENTS.some((event) => choices[event] === "daily");

const isSame = (one: AlertChoices, other: AlertChoices): boolean =>
  [...ALERT_EVENTS, "summary" as const, "hour" as const].every((name) => one[name] === other[name]);
