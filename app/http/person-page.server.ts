import { z } from "zod";
import { personMessages as copy } from "~/content/person";
import { CHOICES, getFields } from "~/lib/form-fields";
import { emailField, firstValues, parseForm, textField, type FormValues } from "~/lib/parse-form";
import type { createAutomaticEmails } from "~/services/automatic/automatic-emails.server";
import type { createAutomaticRules } from "~/services/automatic/automatic-rules.server";
import type { createInquiries } from "~/services/inquiries/inquiries.server";
import { CORRECTED_COLUMNS, type PersonFields } from "~/services/people/corrected-columns";
import { UNDO_MS } from "~/services/people/correction-undo.server";
import { MAX_CORRECTED, type createCorrections } from "~/services/people/corrections.server";
import { NOTE_MAX_LENGTH, type createNotes } from "~/services/people/notes.server";
import type { createPeople } from "~/services/people/people.server";
import { getExpiry, type InviteSettings } from "~/services/waves/invite-links.server";
import type { createPersonInvitations } from "~/services/waves/person-invitations.server";
import { isOptOut } from "~/services/suppressions/suppression-reasons";
import { formatValue } from "~/services/submissions/submission-columns";
import { newId } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { Actor } from "~/services/audit/audit.server";
import { refuse, report } from "./action-result.server";
import { resendAutomaticEmail } from "./automatic-actions.server";
import { readForm } from "./form-data.server";
import { actOnInquiries, readMarks } from "./inquiry-actions.server";
import { toTimeline } from "./person-timeline.server";
import { getActor } from "./request-context.server";
import { readShown } from "./shown-person";

/** Entries of each kind shown. */
const MAX_SHOWN = 50;

interface PersonServices {
  readonly people: Pick<ReturnType<typeof createPeople>, "find" | "erase">;
  readonly inquiries: Pick<ReturnType<typeof createInquiries>, "answer" | "reopen">;
  readonly notes: ReturnType<typeof createNotes>;
  readonly corrections: Pick<ReturnType<typeof createCorrections>, "listColumns" | "correct" | "undo">;
  /** Undefined while nobody is invited from the waiting list. */
  readonly waves:
    | { readonly settings: InviteSettings; readonly ofPeople: ReturnType<typeof createPersonInvitations> }
    | undefined;
  readonly automaticEmails: Pick<ReturnType<typeof createAutomaticEmails>, "resend">;
  readonly automaticRules: Pick<ReturnType<typeof createAutomaticRules>, "list">;
  /** Where copies of the person's submissions are; undefined when nothing is mirrored. */
  readonly mirrorInUse: { readonly copies: "emptied" | "listed" } | undefined;
}

interface PersonPlace {
  /** The id of the person, or of one of their submissions. */
  readonly id: string;
  /**
   * Returns the URL of a person's page: their own, or the one beside a list, where the submission stays open that leads
   * to them.
   */
  readonly getPage: (id: string) => string;
  /** The URL of the list that is left when there is no such person any more. */
  readonly list: string;
}

/**
 * Builds the page of a person. `?step=` opens the form that corrects them (`edit`), or asks before they are erased
 * (`erase`), a note is removed (`remove-note`), or their invitation is revoked or sent again (`revoke`,
 * `invite-again`).
 * @throws a redirect when there is no such person.
 */
export async function getPersonView(
  { people, corrections, automaticRules, mirrorInUse, waves }: PersonServices,
  { id, getPage, list }: PersonPlace,
  request: Request,
  operator: SignedIn,
) {
  const person = await people.find(id, { limit: MAX_SHOWN });
  if (!person) throw report("person-gone", list);
  const rules = await automaticRules.list();
  const rulesOn = rules.filter(({ isOn }) => isOn).map(({ rule }) => rule);
  const now = Date.now();
  const { searchParams } = new URL(request.url);
  const step = searchParams.get("step");
  const notes = person.notes.map((note) => ({
    ...note,
    isRemovable: operator.role === "superadmin" || note.author === operator.email,
  }));
  const removing = step === "remove-note" ? searchParams.get("note") : null;
  const invitation = toInvitationView(person.invitation, waves, now);
  const {
    name,
    company,
    role,
    address,
    domain,
    firstSignupAt,
    formerAddresses,
    hasMoreForms,
    hasMore,
    deliveryCount,
    emailCount,
    otherEmailCount,
  } = person;
  return {
    id: person.id,
    page: getPage(id),
    address,
    name: name || (person.forms.find((form) => form.name !== "")?.name ?? ""),
    company,
    role: formatValue("role", role),
    domain,
    firstSignupAt,
    formerAddresses,
    formCount: person.forms.length,
    hasMoreForms,
    hasMore,
    deliveryCount,
    emailCount,
    otherEmailCount,
    storedCount: person.outbox.length,
    confirmation: person.confirmation,
    invitation,
    isRevoking: step === "revoke" && invitation?.canRevoke === true,
    isResending: step === "invite-again" && invitation?.canResend === true,
    suppression: person.suppression,
    /** The suppression is for another reason, and the person unsubscribed besides. */
    hasOptedOutToo: person.suppression?.opted_out === 1 && !isOptOut(person.suppression.reason),
    reportCount: person.reports.length,
    timeline: toTimeline({ ...person, notes }, { undoableSince: now - UNDO_MS, rulesOn }),
    isErasing: step === "erase",
    removedNote: notes.find((note) => note.id === removing && note.isRemovable),
    edited:
      step === "edit"
        ? {
            columns: await corrections.listColumns(person.id),
            values: { name, email: address, company, role },
          }
        : undefined,
    /** Of the forms that send an automatic email again. */
    resendId: newId(),
    copies: mirrorInUse?.copies,
    now,
  };
}

/** @returns undefined while nobody is invited, and of somebody who was not. */
function toInvitationView(
  invitation: NonNullable<Awaited<ReturnType<PersonServices["people"]["find"]>>>["invitation"],
  waves: PersonServices["waves"],
  now: number,
) {
  if (!invitation) return waves && ({ state: "waiting", canRevoke: false, canResend: false } as const);
  const { state, issue, wave, campaign_id: campaignId, title } = invitation;
  const expiresAt = waves && getExpiry(invitation, waves.settings);
  const isOpen = state === "invited" || state === "undeliverable";
  return {
    state,
    issue,
    /** Null when they joined without an invitation. */
    wave: campaignId === null ? null : { id: campaignId, number: wave, title },
    invitedAt: invitation.invited_at,
    openedAt: invitation.opened_at,
    revokedAt: invitation.revoked_at,
    askedAt: invitation.asked_at,
    joinedAt: invitation.joined_at,
    joinedEmail: invitation.joined_email,
    expiresAt: isOpen && invitation.revoked_at === null ? expiresAt : undefined,
    isExpired: expiresAt !== undefined && expiresAt <= now,
    canRevoke: waves !== undefined && isOpen && invitation.revoked_at === null,
    canResend: waves !== undefined && isOpen,
  };
}

export type PersonView = Awaited<ReturnType<typeof getPersonView>>;

/** Handles the forms of a person's page. */
export async function actOnPerson(
  services: PersonServices,
  place: PersonPlace,
  request: Request,
  operator: SignedIn,
) {
  const { id, getPage, list } = place;
  const page = getPage(id);
  const { people, inquiries, notes, corrections } = services;
  const form = await readForm(request);
  const actor = getActor(request, operator);
  const marks = readMarks(form);
  if (marks) return report(await actOnInquiries(inquiries, marks, actor), page);
  const { intent, note = "", correction = "" } = firstValues(form);
  switch (intent) {
    case "add-note": {
      const parsed = parseForm(noteSchema, form);
      if (!parsed.ok) return refusePersonForm("note", parsed);
      const isAdded = await notes.add(id, parsed.value.text, actor);
      return isAdded ? report("note-added", page) : report("person-gone", list);
    }
    case "remove-note":
      return report((await notes.remove(note, operator, actor)) ? "note-removed" : "note-gone", page);
    case "correct":
    case "merge":
    case "edit-again":
      return correctPerson(services, place, form, actor);
    case "resend":
      return resendAutomaticEmail(services.automaticEmails, firstValues(form), actor, page);
    case "revoke-invitation":
    case "resend-invitation":
      return actOnInvitation(services.waves, place, firstValues(form), actor);
    case "undo": {
      const outcome = await corrections.undo(correction, actor);
      return outcome.ok
        ? report("correction-undone", getPage(outcome.person))
        : report("correction-over", page);
    }
    case "erase": {
      const outcome = await people.erase(id, actor);
      if (outcome.ok) return report("person-erased", list);
      return outcome.error === "unknown"
        ? report("person-gone", list)
        : report("person-email-in-progress", page);
    }
    default:
      return report(undefined, page);
  }
}

async function actOnInvitation(
  waves: PersonServices["waves"],
  { id, getPage, list }: PersonPlace,
  { intent, issue = "" }: Record<string, string | undefined>,
  actor: Actor,
) {
  const page = getPage(id);
  if (!waves) return report(undefined, page);
  const isRevoking = intent === "revoke-invitation";
  const outcome = isRevoking
    ? await waves.ofPeople.revoke(id, actor)
    : await waves.ofPeople.resend(id, Number(issue), actor);
  if (outcome.ok) return report(isRevoking ? "wave-invitation-revoked" : "wave-invitation-resent", page);
  return outcome.error === "unknown"
    ? report("person-gone", list)
    : report(`wave-invitation-${outcome.error}`, page);
}

const noteSchema = z.object({
  text: textField({ label: "the note", max: NOTE_MAX_LENGTH, required: true, singleLine: false }),
});

/** Longest reason of a correction, in code points. */
const REASON_MAX_LENGTH = 200;

const getRule = (column: "name" | "company") => {
  const field = getFields("early-access").find((one) => one.column === column);
  return field?.rule.kind === "text" ? field.rule : { max: 0, required: false };
};

/** The rules of the forms. @param shown a name that is missing already may stay away. */
function toCorrectionSchema(shown: PersonFields) {
  const name = getRule("name");
  return z.object({
    name: textField({ label: "the name", max: name.max, required: name.required && shown.name !== "" }),
    email: emailField({ label: "the address" }),
    company: textField({ label: "the company", max: getRule("company").max }),
    role: z.enum(["", ...CHOICES["early-access"]], { error: copy.edit.unknownRole }).default(""),
    reason: textField({ label: "the reason", max: REASON_MAX_LENGTH, required: true }),
  });
}

/** The person in the question before a merge. */
interface MergeSide {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** "more than" where `isMore`. */
  readonly forms: number;
  readonly isMore: boolean;
}

/** What a refused form's screen reads. */
interface PersonRefusal {
  readonly values: Record<string, string>;
  readonly errors: Record<string, string | undefined>;
  /** What is wrong with the form as a whole, which shows it by itself. */
  readonly problem?: string;
  /** What the next form was shown, where that has changed. */
  readonly shown?: PersonFields;
  /** Asks before a merge. */
  readonly merge?: { readonly person: MergeSide; readonly other: MergeSide };
}

/** Answers with a form as typed. */
const refusePersonForm = (form: "note" | "correct", refusal: PersonRefusal, status = 422) =>
  refuse(form, refusal, { status });

/** The answer that is no redirect: a form to correct or to send again. */
export interface PersonAnswer extends PersonRefusal {
  readonly form: "note" | "correct";
}

async function correctPerson(
  { corrections }: PersonServices,
  { id, getPage, list }: PersonPlace,
  form: FormValues,
  actor: Actor,
) {
  const values = firstValues(form);
  const shown = readShown(values);
  if (values.intent === "edit-again") return refusePersonForm("correct", { values, errors: {}, shown }, 200);
  const parsed = parseForm(toCorrectionSchema(shown), form);
  if (!parsed.ok) return refusePersonForm("correct", { ...parsed, values, shown });
  const { reason, ...typed } = parsed.value;
  const mergeWith = values.intent === "merge" ? (values["merge-with"] ?? "") : "";
  const outcome = await corrections.correct(id, { shown, typed, reason, mergeWith }, actor);
  if (outcome.ok) {
    // A merge removes the person that the operator corrected.
    const page = getPage(outcome.person);
    return report(outcome.isMerge ? "people-merged" : "person-corrected", page, { correction: outcome.id });
  }
  switch (outcome.error) {
    case "unknown":
      return report("person-gone", list);
    case "stale":
      return refusePersonForm("correct", toStale({ values, shown, typed, current: outcome.current }));
    case "address-taken": {
      const toSide = (side: typeof outcome.other): MergeSide => ({
        ...side,
        forms: Math.min(side.forms, MAX_CORRECTED),
        isMore: side.forms > MAX_CORRECTED,
      });
      const merge = { person: toSide(outcome.person), other: toSide(outcome.other) };
      return refusePersonForm("correct", { values, errors: {}, shown, merge });
    }
    default: {
      const problem = copy.edit.problems[outcome.error];
      return refusePersonForm("correct", { values, errors: {}, shown, problem });
    }
  }
}

/** Keeps what the operator typed, takes over the rest, and names what a colleague changed. */
function toStale({
  values,
  shown,
  typed,
  current,
}: {
  values: Record<string, string>;
  shown: PersonFields;
  typed: PersonFields;
  current: PersonFields;
}): PersonRefusal {
  const changed = CORRECTED_COLUMNS.filter((column) => shown[column] !== current[column]);
  const isTyped = (column: keyof PersonFields) => typed[column] !== shown[column];
  const kept = changed.filter((column) => !isTyped(column)).map((column) => [column, current[column]]);
  const errors = changed
    .filter((column) => isTyped(column) && typed[column] !== current[column])
    .map((column) => [column, copy.edit.changedMeanwhile(formatValue(column, current[column]))]);
  return {
    values: { ...values, ...Object.fromEntries(kept) },
    errors: Object.fromEntries(errors),
    problem: copy.edit.stale,
    shown: current,
  };
}
