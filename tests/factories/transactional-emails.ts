import type { Database } from "~/db/database.server";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createTransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { TransactionalSending } from "~/services/mail/transactional/transactional-jobs.server";
import { createQueueOptions } from "./queue-options";
import type { TestClock } from "./time";

export const sender = { name: "Frontdesk", address: "hello@example.com" };

/** Creates the queue of transactional emails of some kinds, with no limits and a clock the test moves. */
export function createTestEmails(
  database: Database,
  clock: TestClock,
  options: Partial<TransactionalSending> & Pick<TransactionalSending, "mailer" | "kinds">,
) {
  return createTransactionalEmails({
    ...createQueueOptions(database, clock),
    allowance: new DailyAllowance(0),
    resendAfterCrash: true,
    mailDomain: "example.com",
    ...options,
  });
}

/** Lists all transactional emails in the order they were asked for. */
export const listEmails = (database: Database) =>
  database.read.selectFrom("transactional_emails").selectAll().orderBy("created_at").orderBy("id").execute();
