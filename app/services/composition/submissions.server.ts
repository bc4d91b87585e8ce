import { paths } from "~/paths";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-request.server";
import { createConfirmations } from "~/services/confirmations/confirmations.server";
import { createConfirmationEmails } from "~/services/confirmations/confirmation-jobs.server";
import { composeConfirmationEmail } from "~/services/mail/compose-transactional";
import type { Outbox } from "~/services/mail/outbox.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { createPeople } from "~/services/people/people.server";
import { createPeopleSearch } from "~/services/search/people-search.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups } from "~/services/signups/signups.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import type { Sending } from "./sending.server";

/**
 * Composes the three forms and the processing of their submissions.
 * @param mirror undefined: submissions are copied nowhere.
 * @param outbox outbox from which the emails of erased persons are deleted; undefined: emails are not kept here.
 */
export function composeSubmissions(
  sending: Sending,
  { mirror, outbox }: { mirror: MirrorQueue | undefined; outbox: Outbox | undefined },
) {
  const { environment, secrets, origin } = sending;
  const tokens = createConfirmationTokens(secrets.form, secrets.previousForm);
  const confirmationEmails = createConfirmationEmails({
    ...sending,
    compose: composeConfirmationEmail,
    confirmUrl: (request) => origin + paths.confirmUpdates(tokens.createToken(request)),
  });
  const confirmations = createConfirmations({
    ...sending,
    tokens,
    mirror,
    wake: confirmationEmails.wake,
    isRequired: environment.DOUBLE_OPT_IN,
  });
  const { optIn } = confirmations;
  const stamps = createFormStamps(secrets.form, secrets.previousForm);
  const peopleSearch = createPeopleSearch(sending);
  const submissions = createSubmissions({ ...sending, peopleSearch });
  return {
    confirmationEmails,
    confirmations,
    peopleSearch,
    submissions,
    signups: createSignups({ ...sending, stamps, optIn, mirror }),
    quarantine: createQuarantine({ ...sending, optIn, mirror }),
    deletions: createDeletions({ ...sending, submissions, mirror }),
    people: createPeople({ ...sending, outbox }),
  };
}
