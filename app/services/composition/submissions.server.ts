import type { Environment } from "~/env.server";
import { paths } from "~/paths";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-tokens.server";
import { createConfirmations } from "~/services/confirmations/confirmations.server";
import { createConfirmationMails } from "~/services/confirmations/confirmation-jobs.server";
import { composeConfirmationMail } from "~/services/mail/compose-confirmation";
import type { OutboxEraser } from "~/services/mail/outbox.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-queue.server";
import { createPeople } from "~/services/people/people.server";
import { createPeopleSearch } from "~/services/search/people-search.server";
import type { Secrets } from "~/services/secrets/secrets.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups } from "~/services/signups/signups.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import type { Sending } from "./sending.server";

/** What the three forms take in, and what becomes of it. */
export function submissionsFor(
  environment: Environment,
  has: {
    sending: Sending;
    secrets: Secrets;
    origin: string;
    mirror: MirrorQueue | undefined;
    outboxEraser: OutboxEraser | undefined;
  },
) {
  const { sending, secrets, origin, mirror } = has;
  const { database, clock, newId } = sending;
  const tokens = createConfirmationTokens(secrets.form);
  const confirmationMails = createConfirmationMails({
    ...sending,
    compose: composeConfirmationMail,
    confirmUrl: (asking) => origin + paths.confirmUpdates(tokens.tokenFor(asking)),
  });
  const confirmations = createConfirmations({
    database,
    tokens,
    clock,
    newId,
    wake: confirmationMails.wake,
    mirror,
    isRequired: environment.DOUBLE_OPT_IN,
  });
  const { optIn } = confirmations;
  const stamps = createFormStamps(secrets.form);
  const peopleSearch = createPeopleSearch({ database });
  const submissions = createSubmissions({ database, peopleSearch, clock, newId });
  return {
    confirmationMails,
    confirmations,
    peopleSearch,
    submissions,
    signups: createSignups({ database, stamps, clock, newId, optIn, mirror }),
    quarantine: createQuarantine({ database, clock, newId, optIn, mirror }),
    deletions: createDeletions({ database, submissions, clock, newId, mirror }),
    people: createPeople({ database, outbox: has.outboxEraser, clock, newId }),
  };
}
