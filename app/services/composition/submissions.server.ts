import { createConfirmations } from "~/services/confirmations/confirmations.server";
import { createInquiries } from "~/services/inquiries/inquiries.server";
import type { Outbox } from "~/services/mail/outbox.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { PeopleFill } from "~/services/people/fill-people.server";
import { createPeople } from "~/services/people/people.server";
import { createPeopleSearch } from "~/services/search/people-search.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignups } from "~/services/signups/signups.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import type { Foundation } from "./foundation.server";
import { composePersonData } from "./person-data.server";
import type { Sending } from "./sending.server";

/**
 * Composes the three forms and the processing of their submissions.
 * @param mirror undefined: submissions are copied nowhere.
 * @param outbox outbox from which the emails of erased persons are deleted; undefined: emails are not kept here.
 */
export function composeSubmissions(
  foundation: Foundation,
  { emails, emailKinds, confirmationTokens: tokens }: Sending,
  { mirror, outbox }: { mirror: MirrorQueue | undefined; outbox: Outbox | undefined },
) {
  const { environment, database, clock, newId, secrets, log } = foundation;
  const confirmations = createConfirmations({
    database,
    clock,
    newId,
    emails,
    emailKind: emailKinds.confirmation,
    tokens,
    mirror,
    wake: emails.worker.wake,
    isRequired: environment.DOUBLE_OPT_IN,
  });
  const { optIn } = confirmations;
  const stamps = createFormStamps(secrets.form, secrets.previousForm);
  const peopleSearch = createPeopleSearch({ database });
  const submissions = createSubmissions({ database, peopleSearch });
  return {
    confirmations,
    peopleSearch,
    submissions,
    signups: createSignups({ database, clock, newId, stamps, optIn, mirror }),
    quarantine: createQuarantine({ database, clock, newId, optIn, mirror }),
    deletions: createDeletions({ database, clock, newId, submissions, mirror }),
    inquiries: createInquiries({ database, clock, newId }),
    peopleFill: new PeopleFill({ database, clock, log }),
    people: createPeople({ database, clock, newId, personData: composePersonData(outbox) }),
  };
}
