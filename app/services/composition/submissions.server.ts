import { createApiPeople } from "~/services/api-people/api-people.server";
import { createAutomaticQueue } from "~/services/automatic/automatic-queue.server";
import type { Environment } from "~/env.server";
import type { ConfirmedKind } from "~/services/confirmations/confirmation-request.server";
import { createConfirmations } from "~/services/confirmations/confirmations.server";
import { createInquiries } from "~/services/inquiries/inquiries.server";
import { createImports } from "~/services/imports/imports.server";
import { createImportWorker } from "~/services/imports/import-worker.server";
import type { Outbox } from "~/services/mail/outbox.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { PeopleFill } from "~/services/people/fill-people.server";
import { createPeopleList } from "~/services/people/people-list.server";
import { createCorrections } from "~/services/people/corrections.server";
import { createNotes } from "~/services/people/notes.server";
import { createPeople } from "~/services/people/people.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createQuarantine } from "~/services/signups/quarantine.server";
import { createSignupFeed } from "~/services/signups/signup-feed.server";
import { createSignups } from "~/services/signups/signups.server";
import { createDeletions } from "~/services/submissions/deletions.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import type { Foundation } from "./foundation.server";
import { composePersonData } from "./person-data.server";
import type { Sending } from "./sending.server";

/** The forms whose signups wait for a confirmation, by DOUBLE_OPT_IN. */
const REQUIRED_FOR: Readonly<Record<Environment["DOUBLE_OPT_IN"], readonly ConfirmedKind[]>> = {
  off: [],
  on: ["updates-signup"],
  all: ["updates-signup", "early-access"],
};

/**
 * Composes the three forms and the processing of their submissions.
 * @param mirror undefined: submissions are copied nowhere.
 * @param outbox outbox from which the emails of erased persons are deleted, whatever driver sends them now.
 */
export function composeSubmissions(
  foundation: Foundation,
  { emails, emailKinds, automaticKinds, confirmationTokens: tokens }: Sending,
  { mirror, outbox }: { mirror: MirrorQueue | undefined; outbox: Outbox },
) {
  const { environment, database, clock, newId, secrets, log } = foundation;
  const automatic = createAutomaticQueue({ emails, kinds: automaticKinds });
  const confirmations = createConfirmations({
    database,
    clock,
    newId,
    emails,
    emailKind: emailKinds.confirmation,
    tokens,
    automatic,
    mirror,
    wake: emails.worker.wake,
    requiredFor: REQUIRED_FOR[environment.DOUBLE_OPT_IN],
  });
  const { optIn } = confirmations;
  const stamps = createFormStamps(secrets.form, secrets.previousForm);
  const submissions = createSubmissions({ database });
  const peopleList = createPeopleList({ database });
  const importWorker = createImportWorker({ database, clock, newId, log, dataDir: environment.DATA_DIR });
  return {
    importWorker,
    imports: createImports({ database, clock, newId, wake: importWorker.wake }),
    confirmations,
    peopleList,
    submissions,
    signupFeed: createSignupFeed({ database }),
    signups: createSignups({ database, clock, newId, stamps, optIn, automatic, mirror }),
    quarantine: createQuarantine({ database, clock, newId, optIn, automatic, mirror }),
    deletions: createDeletions({ database, clock, newId, submissions, mirror }),
    inquiries: createInquiries({ database, clock, newId }),
    peopleFill: new PeopleFill({ database, clock, log }),
    apiPeople: createApiPeople({ database, peopleList }),
    notes: createNotes({ database, clock, newId }),
    corrections: createCorrections({
      database,
      clock,
      newId,
      requestConfirmation: confirmations.request,
      wake: emails.worker.wake,
    }),
    people: createPeople({ database, clock, newId, personData: composePersonData(outbox) }),
  };
}
