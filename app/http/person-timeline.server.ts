import { submissionMessages } from "~/content/submissions";
import { isAutomaticRule } from "~/lib/automatic-rules";
import { getFields } from "~/lib/form-fields";
import { UNKNOWN_SOURCE } from "~/lib/source";
import { isSettled } from "~/services/mail/delivery/delivery-result";
import type { createPeople } from "~/services/people/people.server";
import { formatValue } from "~/services/submissions/submission-columns";

type Person = NonNullable<Awaited<ReturnType<ReturnType<typeof createPeople>["find"]>>>;
type Note = Person["notes"][number] & { readonly isRemovable: boolean };
type Form = Person["forms"][number];

/**
 * Merges everything that happened to a person into one list, newest first. An email that the outbox keeps is one entry
 * with what is known of it.
 * @param options.undoableSince epoch milliseconds: older corrections cannot be undone.
 * @param options.rulesOn automatic emails of other rules cannot be sent again.
 */
export function toTimeline(
  person: Omit<Person, "notes"> & { readonly notes: readonly Note[] },
  { undoableSince, rulesOn }: { undoableSince: number; rulesOn: readonly string[] },
) {
  const storedIds = new Map(person.outbox.map(({ message_id, id }) => [message_id, id]));
  const known = new Set([...person.emails, ...person.otherEmails].map(({ message_id }) => message_id));
  const isEmailed = person.otherEmails.some((email) => email.kind === "confirmation");
  /** The address of an entry, where it is not the one of today. */
  const toFormer = (address: string) =>
    address.toLowerCase() === person.address.toLowerCase() ? undefined : address;
  const entries = [
    ...person.forms.map((form) => ({
      type: "form" as const,
      key: form.id,
      at: form.created_at,
      form: { ...form, fields: listFilledFields(form) },
    })),
    ...person.emails.map(
      ({ address, message_id, name: _name, company: _company, role: _role, ...email }) => ({
        type: "campaign-email" as const,
        key: email.id,
        at: email.updated_at,
        former: toFormer(address),
        storedId: storedIds.get(message_id),
        email,
      }),
    ),
    ...person.otherEmails.map(({ address, message_id, subject, ...email }) => ({
      type: "email" as const,
      key: email.id,
      at: email.updated_at,
      former: toFormer(address),
      storedId: storedIds.get(message_id),
      email,
      automatic: isAutomaticRule(email.kind)
        ? {
            /** With fields, as it was written; null for one that was not sent. */
            subject,
            canResend: isSettled(email.state) && rulesOn.includes(email.kind),
          }
        : undefined,
    })),
    ...person.outbox
      .filter(({ message_id }) => !known.has(message_id))
      .map(({ id, subject, created_at }) => ({
        type: "stored-email" as const,
        key: id,
        at: created_at,
        subject,
        storedId: id,
      })),
    ...person.reports.map(({ id, type, reason, address, happened_at }) => ({
      type: "report" as const,
      key: id,
      at: happened_at,
      former: toFormer(address),
      report: { type, reason },
    })),
    ...person.suppressions.map(({ address, created_at, ...suppression }) => ({
      type: "suppression" as const,
      key: `suppressed ${address}`,
      at: created_at,
      former: toFormer(address),
      suppression,
    })),
    ...person.confirmations.flatMap(({ address, requested_at, confirmed_at }) => {
      const former = toFormer(address);
      const requested = { type: "confirmation" as const, key: `requested ${address}`, former };
      const confirmed = { ...requested, key: `confirmed ${address}` };
      return [
        // Its email says the same.
        ...(isEmailed ? [] : [{ ...requested, at: requested_at, isConfirmed: false }]),
        ...(confirmed_at === null ? [] : [{ ...confirmed, at: confirmed_at, isConfirmed: true }]),
      ];
    }),
    ...person.notes.map((note) => ({ type: "note" as const, key: note.id, at: note.created_at, note })),
    ...person.corrections.map((correction) => ({
      type: "correction" as const,
      key: correction.id,
      at: correction.at,
      correction: { ...correction, isUndoable: correction.isUndoable && correction.at > undoableSince },
    })),
  ];
  return entries.toSorted((a, b) => b.at - a.at);
}

/** Lists the labels and values of what was typed into a form. */
function listFilledFields(form: Form): [label: string, value: string][] {
  const typed = getFields(form.kind)
    .filter(({ column }) => form[column] !== "")
    .map(({ column, label }): [string, string] => [label, formatValue(column, form[column])]);
  return form.source === UNKNOWN_SOURCE ? typed : [...typed, [submissionMessages.source, form.source]];
}
