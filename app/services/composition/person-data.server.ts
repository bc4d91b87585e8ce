import { campaignPeoplePersonData } from "~/services/audiences/frozen-people.server";
import { bouncePersonData } from "~/services/bounces/bounce-person-data.server";
import { confirmationPersonData } from "~/services/confirmations/confirmation-person-data.server";
import { emailChangePersonData } from "~/services/email-changes/email-change-person-data.server";
import { importPersonData } from "~/services/imports/import-person-data.server";
import { invitationPersonData } from "~/services/invitations/invitation-person-data.server";
import type { Outbox } from "~/services/mail/outbox.server";
import { createOutboxPersonData } from "~/services/mail/outbox-person-data.server";
import { transactionalPersonData } from "~/services/mail/transactional/transactional-person-data.server";
import { deliveryPersonData } from "~/services/outreach/delivery-person-data.server";
import { correctionsPersonData } from "~/services/people/corrections-person-data.server";
import { notesPersonData } from "~/services/people/notes.server";
import { peoplePersonData } from "~/services/people/people-person-data.server";
import type { PersonData } from "~/services/people/person-data";
import { formAttemptsPersonData } from "~/services/signups/form-attempts-person-data.server";
import { devicePersonData } from "~/services/push/device-person-data.server";
import { suppressionPersonData } from "~/services/suppressions/suppression-person-data.server";
import { viewsPersonData } from "~/services/views/saved-views.server";
import { wavePersonData } from "~/services/waves/wave-person-data.server";

/**
 * Lists what each capability holds about a person, in the order of the exported file. They are erased in the opposite order:
 * bounces before the deliveries by which they are found, and invitations before transactional emails, because deleting an
 * invitation waits for whoever is adding an email for it.
 */
export function composePersonData(outbox: Outbox): readonly PersonData[] {
  return [
    peoplePersonData,
    notesPersonData,
    correctionsPersonData,
    campaignPeoplePersonData,
    importPersonData,
    deliveryPersonData,
    transactionalPersonData,
    wavePersonData,
    confirmationPersonData,
    invitationPersonData,
    emailChangePersonData,
    suppressionPersonData,
    bouncePersonData,
    createOutboxPersonData(outbox),
    formAttemptsPersonData,
    devicePersonData,
    viewsPersonData,
  ];
}
