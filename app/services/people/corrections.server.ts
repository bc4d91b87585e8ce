import type { Read, Write } from "~/db/database.server";
import { countUpTo, hasRows } from "~/db/rows";
import { emailKey } from "~/lib/email-address";
import { getFields, SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { parseJson } from "~/lib/parse-json";
import { isUuid } from "~/lib/uuid";
import { createAudit, type Actor } from "~/services/audit/audit.server";
import { confirmationData } from "~/services/confirmations/confirmation-email.server";
import { confirmationPersonData } from "~/services/confirmations/confirmation-person-data.server";
import type { ConfirmedSubject } from "~/services/confirmations/confirmation-request.server";
import { transactionalPersonData } from "~/services/mail/transactional/transactional-person-data.server";
import { deliveryPersonData, selectDeliveriesTo } from "~/services/outreach/delivery-person-data.server";
import type { ServiceDeps } from "~/services/service-deps";
import { mergePlaces, restoreMergedPlaces } from "~/services/audiences/frozen-people.server";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { correctSubmissions, type CorrectableFields } from "~/services/submissions/submission-states.server";
import { SUBMISSION_STATES, type SubmissionState } from "~/services/submissions/submission-state";
import {
  carrySuppression,
  isSuppressed,
  restoreSuppression,
} from "~/services/suppressions/suppressions.server";
import { isAsMerged, mergeInvitations, restoreInvitations } from "~/services/waves/merged-invitations.server";
import { withdrawReminders } from "~/services/waves/wave-reminders.server";
import { CORRECTED_COLUMNS, type PersonFields } from "./corrected-columns";
import { UNDO_MS, type Undo } from "./correction-undo.server";
import { listFormerAddresses } from "./corrections-person-data.server";
import { moveDeliveries, restoreDeliveries } from "./corrected-deliveries.server";
import { noteConfirmation, refreshPeople, selectTelling } from "./people-rows.server";
import { findOrAddPerson, findPerson } from "./person-rows.server";

/** Submissions that a correction changes at most, because it is one transaction of the single writer. */
export const MAX_CORRECTED = 200;

export interface Correction {
  /** What the operator was shown, to notice what a colleague changed meanwhile. */
  readonly shown: PersonFields;
  /** What they typed, by the rules of the forms. */
  readonly typed: PersonFields;
  readonly reason: string;
  /** The person whose address was typed, once the operator agreed to merge the two. */
  readonly mergeWith: string;
}

/** A person in the question before a merge. `forms` is the number of their submissions, counted up to MAX_CORRECTED + 1. */
export interface MergedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly forms: number;
}

/**
 * - ok: `id` of the correction, `person` the id of the person who has the address now.
 * - unknown: there is no such person any more.
 * - unchanged: nothing was typed that is not there already.
 * - too-many: the person has more submissions than a correction changes.
 * - email-in-progress: an email to the old address is being handed to the mail server.
 * - stale: something was changed since it was shown; `current` is what is there now.
 * - address-taken: the address is `other`'s, and the operator was not asked yet.
 */
type CorrectionOutcome =
  | { ok: true; id: string; person: string; isMerge: boolean }
  | { ok: false; error: "unknown" | "unchanged" | "too-many" | "email-in-progress" }
  | { ok: false; error: "stale"; current: PersonFields }
  | { ok: false; error: "address-taken"; person: MergedPerson; other: MergedPerson };

/** "over": the ten minutes have passed, an email was sent to the new address, or something newer changed the person. */
type UndoOutcome = { ok: true; person: string } | { ok: false; error: "over" };

interface CorrectionsDeps extends ServiceDeps {
  /** Asks an address for its confirmation, in the caller's transaction. */
  readonly requestConfirmation: (
    trx: Write,
    address: { email: string; email_key: string; about: ConfirmedSubject | undefined },
    now: number,
  ) => Promise<unknown>;
  /** Called when an email may have been queued. */
  readonly wake: () => void;
  /** Submissions that a correction changes at most; tests have fewer. */
  readonly maxCorrected?: number;
}

/**
 * Corrects what is known about a person, in the submissions from which it follows (docs/decisions/0111), and undoes it
 * for ten minutes. Each correction is one transaction.
 */
export function createCorrections(deps: CorrectionsDeps) {
  const { database, clock, newId, requestConfirmation, wake, maxCorrected = MAX_CORRECTED } = deps;
  const audit = createAudit(deps);

  return {
    /** Lists what can be corrected of this person: the fields that their forms ask for. */
    async listColumns(id: string) {
      const person = await findPerson(database.read, id);
      return person ? listAskedColumns(await listAll(database.read, person.email_key, MAX_CORRECTED)) : [];
    },

    /** Corrects a person; a new address that is somebody's merges the two, once the operator agreed. */
    async correct(id: string, correction: Correction, actor: Actor): Promise<CorrectionOutcome> {
      const outcome = await database.write((trx) => correct(trx, id, correction, actor));
      if (outcome.ok) wake();
      return outcome;
    },

    /** Undoes a correction, exactly. */
    async undo(id: string, actor: Actor): Promise<UndoOutcome> {
      if (!isUuid(id)) return { ok: false, error: "over" };
      const outcome = await database.write((trx) => undo(trx, id, actor));
      if (outcome.ok) wake();
      return outcome;
    },

    /** Forgets what undoes corrections that can no longer be undone, and with it the old values. */
    async sweep(): Promise<void> {
      await database.write((trx) =>
        trx
          .updateTable("person_corrections")
          .set({ undo: "" })
          .where("undo", "!=", "")
          .where("at", "<=", clock() - UNDO_MS)
          .execute(),
      );
    },
  };

  async function correct(
    trx: Write,
    id: string,
    { shown, typed, reason, mergeWith }: Correction,
    actor: Actor,
  ): Promise<CorrectionOutcome> {
    const known = await findOrAddPerson(trx, id);
    if (!known) return { ok: false, error: "unknown" };
    const { email_key: from } = known;
    const to = emailKey(typed.email);
    const isMoved = to !== from;
    if (isMoved && !(await lockEmails(trx, from))) return { ok: false, error: "email-in-progress" };
    // Locked in the order of every other change: submissions first, then people.
    const submissions = await listAll(trx, from, maxCorrected + 1, { isLocked: true });
    if (submissions.length > maxCorrected) return { ok: false, error: "too-many" };
    const [person, other] = await lockPeople(trx, known.id, to);
    if (!person) return { ok: false, error: "unknown" };
    const current = toFields(person);
    const correctable = listAskedColumns(submissions);
    const columns = CORRECTED_COLUMNS.filter(
      (column) => correctable.includes(column) && typed[column] !== current[column],
    );
    if (columns.length === 0) return { ok: false, error: "unchanged" };
    if (person.email_key !== from || CORRECTED_COLUMNS.some((column) => shown[column] !== current[column])) {
      return { ok: false, error: "stale", current };
    }
    if (isMoved && other && other.id !== mergeWith) {
      const forms = await countForms(trx, other.email_key);
      return {
        ok: false,
        error: "address-taken",
        person: { id: person.id, name: person.name, email: person.email, forms: submissions.length },
        other: { id: other.id, name: other.name, email: other.email, forms },
      };
    }

    const now = clock();
    const kept = isMoved && other ? other : person;
    const named = new Set(selectCorrected(submissions).map((submission) => submission.id));
    const corrected = submissions.flatMap((submission) => {
      const after = applyTo(submission, typed, { columns, isNamed: named.has(submission.id), to });
      return CORRECTED_KEYS.some((key) => after[key] !== submission[key])
        ? [{ before: toCorrectable(submission), after }]
        : [];
    });
    const wasSuppressed = isMoved && (await isSuppressed({ read: trx }, from));
    const people = new Set([person.id, kept.id]);
    const followed = isMoved ? await follow(trx, { from, to: typed.email, people, now }) : NOTHING_FOLLOWED;
    // Before the person goes, and what stands under them with it.
    const moved =
      kept === person
        ? { notes: [], corrections: [] }
        : {
            ...(await moveEntries(trx, person.id, kept.id)),
            invitations: await mergeInvitations(trx, { taken: person.id, kept: kept.id }),
            chosenFor: await mergePlaces(trx, { taken: person.id, kept: kept.id }),
          };
    await correctSubmissions(
      trx,
      corrected.map(({ after }) => after),
      isMoved && kept === person ? { id: person.id, email_key: to } : undefined,
    );
    // As when an address leaves the suppression list: a campaign that was reviewed before does not include them.
    if (wasSuppressed && !(await isSuppressed({ read: trx }, to))) await rejoinAudiences(trx, [to]);
    const correctionId = newId();
    const undo: Undo = {
      changes: Object.fromEntries(columns.map((column) => [column, [current[column], typed[column]]])),
      before: corrected.map(({ before }) => before),
      after: corrected.map(({ after }) => after),
      ...followed,
      ...moved,
      confirmedAt: person.confirmed_at,
    };
    const isMerge = kept !== person;
    await trx
      .insertInto("person_corrections")
      .values({
        id: correctionId,
        person_id: kept.id,
        author: actor.by,
        reason,
        at: now,
        fields: columns.join(","),
        former_email: isMoved ? person.email : "",
        former_key: isMoved ? from : "",
        merged_person: isMerge ? person.id : null,
        undo: JSON.stringify(undo),
        undone_at: null,
      })
      .execute();
    const values = columns.map(
      (column) => `${column === "email" ? "address" : column} was "${current[column]}"`,
    );
    await audit(trx, actor, {
      action: isMerge ? "merge-people" : "correct-person",
      subject: `${typed.email}: ${values.join(", ")} (${reason})`,
    });
    return { ok: true, id: correctionId, person: kept.id, isMerge };
  }

  /** Keeps emails to an address from being claimed. @returns false while one is being handed over. */
  async function lockEmails(trx: Write, key: string): Promise<boolean> {
    for (const data of [deliveryPersonData, transactionalPersonData, confirmationPersonData]) {
      await data.lock?.(trx, key);
      if (await data.isSending?.(trx, key)) return false;
    }
    return true;
  }

  /** Lets what is known by an address follow it, or stay behind with care. */
  async function follow(
    trx: Write,
    { from, to, people, now }: { from: string; to: string; people: Iterable<string>; now: number },
  ): Promise<Pick<Undo, "deliveries" | "placeholders" | "suppression" | "withdrawn" | "unsent" | "asked">> {
    const former: string[] = [];
    for (const id of people) former.push(...(await listFormerAddresses(trx, id)).map(({ key }) => key));
    const moved = await moveDeliveries(trx, { from, to, former, newId, now });
    await withdrawReminders(trx, from);
    const suppression = await carrySuppression(trx, newId, { from, to, now });
    // A confirmed request belongs to the address. An open one is withdrawn, so that its link does not work any more, and asked
    // again, unless the new address is confirmed or no email that asked is left: then its signups wait until they are purged.
    const withdrawn = await trx
      .deleteFrom("confirmations")
      .where("email_key", "=", from)
      .where("confirmed_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    const email = withdrawn && (await findAskingEmail(trx, withdrawn));
    if (!email) return { ...moved, suppression, withdrawn };
    const unsent = await withdrawEmail(trx, email);
    const key = emailKey(to);
    const asked = await trx
      .selectFrom("confirmations")
      .selectAll()
      .where("email_key", "=", key)
      .executeTakeFirst();
    const { about } = confirmationData.parse(parseJson(email.data));
    await requestConfirmation(trx, { email: to, email_key: key, about }, now);
    return { ...moved, suppression, withdrawn, unsent, asked };
  }

  async function undo(trx: Write, id: string, actor: Actor): Promise<UndoOutcome> {
    const over = { ok: false, error: "over" } as const;
    const now = clock();
    const correction = await trx
      .selectFrom("person_corrections")
      .selectAll()
      .where("id", "=", id)
      .where("undone_at", "is", null)
      .where("at", ">", now - UNDO_MS)
      .executeTakeFirst();
    if (!correction || correction.undo === "") return over;
    const { person_id, former_key, merged_person, at } = correction;
    const restored = parseJson(correction.undo) as Undo;
    const key = restored.after[0]?.email_key ?? "";
    const isMoved = former_key !== "";
    if (isMoved && !(await lockEmails(trx, key))) return over;
    const present = await trx
      .selectFrom("submissions")
      .select(["id", ...CORRECTED_KEYS])
      .where(
        "id",
        "in",
        restored.after.map((submission) => submission.id),
      )
      .orderBy("id")
      .forUpdate()
      .execute();
    const isSame = restored.after.every((after) => {
      const row = present.find((submission) => submission.id === after.id);
      return row && CORRECTED_KEYS.every((name) => row[name] === after[name]);
    });
    if (!isSame || (await hasNewerCorrection(trx, person_id, id))) return over;
    const [person, owner] = await lockPeople(trx, person_id, isMoved ? former_key : "");
    if (!person || owner) return over;
    if (isMoved && (await isUsed(trx, key, restored, at))) return over;
    const { invitations = [], confirmedAt = null } = restored;
    if (merged_person !== null && !(await isAsMerged(trx, person_id, invitations))) return over;

    if (isMoved) {
      await restoreDeliveries(trx, restored);
      if (restored.suppression) await restoreSuppression(trx, restored.suppression);
      if (restored.withdrawn) {
        await trx
          .deleteFrom("confirmations")
          .where("email_key", "=", key)
          .where("confirmed_at", "is", null)
          .where("requested_at", ">=", at)
          .execute();
        await trx
          .insertInto("confirmations")
          .values([restored.withdrawn, ...(restored.asked ? [restored.asked] : [])])
          .onConflict((conflict) => conflict.column("email_key").doNothing())
          .execute();
        if (restored.unsent) await requeueEmail(trx, restored.unsent, former_key, at);
      }
    }
    const back = merged_person ?? person_id;
    await correctSubmissions(trx, restored.before, isMoved ? { id: back, email_key: former_key } : undefined);
    if (isMoved && confirmedAt !== null) await noteConfirmation(trx, former_key, confirmedAt);
    if (merged_person !== null) {
      await moveBack(trx, "person_notes", restored.notes, merged_person);
      await moveBack(trx, "person_corrections", [...restored.corrections, id], merged_person);
      await restoreInvitations(trx, person_id, invitations);
      const people = { taken: merged_person, kept: person_id };
      await restoreMergedPlaces(trx, people, restored.chosenFor ?? []);
    }
    // Those of both people of a merge, once each has their invitation again.
    if (isMoved) await withdrawReminders(trx, key);
    await trx
      .updateTable("person_corrections")
      .set({ undone_at: now, undo: "" })
      .where("id", "=", id)
      .execute();
    const { email } = await trx
      .selectFrom("people")
      .select("email")
      .where("id", "=", back)
      .executeTakeFirstOrThrow();
    await audit(trx, actor, { action: "undo-correction", subject: email });
    return { ok: true, person: back };
  }
}

const CORRECTED_KEYS = ["name", "email", "email_key", "company", "role"] as const;
const NOTHING_FOLLOWED = { deliveries: [], placeholders: [] } as const;

interface StoredSubmission extends CorrectableFields {
  readonly kind: SubmissionKind;
  readonly state: SubmissionState;
}

/** Lists the submissions of an address in any state, up to a limit, from one index. */
function listAll(
  read: Read,
  key: string,
  limit: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<StoredSubmission[]> {
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "state", ...CORRECTED_KEYS])
    .where("kind", "in", SUBMISSION_KINDS)
    .where("state", "in", SUBMISSION_STATES)
    .where("email_key", "=", key)
    .orderBy("id")
    .limit(limit)
    .$if(isLocked, (query) => query.forUpdate())
    .execute();
}

/**
 * Selects the submissions whose name, company and role are corrected: the accepted ones, and the deleted ones, whose deletion
 * may be undone; without any of these, all. Anybody can send a form with somebody's address.
 */
function selectCorrected(submissions: readonly StoredSubmission[]): readonly StoredSubmission[] {
  const accepted = submissions.filter(({ state }) => state === "accepted" || state === "deleted");
  return accepted.length > 0 ? accepted : submissions;
}

const asks = (kind: SubmissionKind, column: string) =>
  getFields(kind).some((field) => field.column === column);

/** Lists what the forms ask of which the person is told by: nothing else can be corrected. */
function listAskedColumns(submissions: readonly StoredSubmission[]) {
  const telling = selectTelling(submissions);
  return CORRECTED_COLUMNS.filter((column) => telling.some(({ kind }) => asks(kind, column)));
}

/** Returns a submission as corrected. @param isNamed whether it gets the name, company and role that its form asks for. */
function applyTo(
  submission: StoredSubmission,
  typed: PersonFields,
  { columns, isNamed, to }: { columns: readonly (keyof PersonFields)[]; isNamed: boolean; to: string },
): CorrectableFields {
  const isSet = (column: keyof PersonFields) =>
    columns.includes(column) && (column === "email" || (isNamed && asks(submission.kind, column)));
  const get = (column: keyof PersonFields) => (isSet(column) ? typed[column] : submission[column]);
  return {
    id: submission.id,
    name: get("name"),
    email: get("email"),
    email_key: to,
    company: get("company"),
    // Typed by the rules of the forms, which offer the roles.
    role: get("role") as CorrectableFields["role"],
  };
}

const toCorrectable = ({
  id,
  name,
  email,
  email_key,
  company,
  role,
}: StoredSubmission): CorrectableFields => ({
  id,
  name,
  email,
  email_key,
  company,
  role,
});

const toFields = ({ name, email, company, role }: PersonFields): PersonFields => ({
  name,
  email,
  company,
  role,
});

/** Locks a person, and the one who has an address; undefined for those who are not there. */
async function lockPeople(trx: Write, id: string, key: string) {
  if (key !== "") await refreshPeople(trx, [{ email_key: key }]);
  const rows = await trx
    .selectFrom("people")
    .select(["id", "email", "email_key", "name", "company", "role", "confirmed_at"])
    .where((row) => row.or([row("id", "=", id), row("email_key", "=", key)]))
    .orderBy("email_key")
    .forUpdate()
    .execute();
  return [
    rows.find((row) => row.id === id),
    rows.find((row) => row.email_key === key && row.id !== id),
  ] as const;
}

const countForms = (read: Read, key: string) =>
  countUpTo(
    MAX_CORRECTED + 1,
    read,
    read
      .selectFrom("submissions")
      .select("id")
      .where("kind", "in", SUBMISSION_KINDS)
      .where("state", "in", SUBMISSION_STATES)
      .where("email_key", "=", key),
  );

/** Moves the notes and corrections of one person to another. */
async function moveEntries(
  trx: Write,
  from: string,
  to: string,
): Promise<Pick<Undo, "notes" | "corrections">> {
  const move = async (table: "person_notes" | "person_corrections") => {
    const rows = await trx
      .updateTable(table)
      .set({ person_id: to })
      .where("person_id", "=", from)
      .returning("id")
      .execute();
    return rows.map(({ id }) => id);
  };
  return { notes: await move("person_notes"), corrections: await move("person_corrections") };
}

async function moveBack(
  trx: Write,
  table: "person_notes" | "person_corrections",
  ids: readonly string[],
  to: string,
): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable(table).set({ person_id: to }).where("id", "in", ids).execute();
}

const hasNewerCorrection = (trx: Write, personId: string, id: string) =>
  hasRows(
    trx
      .selectFrom("person_corrections")
      .where("person_id", "=", personId)
      .where("id", ">", id)
      .where("undone_at", "is", null),
  );

/** Finds the email that asked for a confirmation; undefined where a link in another email did. */
function findAskingEmail(trx: Write, { id, requested_at }: { id: string; requested_at: number }) {
  return trx
    .selectFrom("transactional_emails")
    .select(["id", "state", "detail", "data"])
    .where("kind", "=", "confirmation")
    .where("unique_key", "=", `${id}.${requested_at}`)
    .executeTakeFirst();
}

/**
 * Takes back an email whose request is withdrawn, if it waits to be sent. Not left to the queue, which could have it claimed
 * when the correction is undone. The caller has locked it. @returns it as it was, for `requeueEmail`.
 */
async function withdrawEmail(trx: Write, { id, state, detail }: NonNullable<Undo["unsent"]>) {
  if (state !== "pending" && state !== "retrying") return undefined;
  await trx
    .updateTable("transactional_emails")
    .set({ state: "skipped", detail: "expired" })
    .where("id", "=", id)
    .execute();
  return { id, state, detail };
}

/** Undoes `withdrawEmail`, unless the address, `key`, was suppressed since. */
async function requeueEmail(
  trx: Write,
  { id, state, detail }: NonNullable<Undo["unsent"]>,
  key: string,
  since: number,
): Promise<void> {
  const suppressed = trx
    .selectFrom("suppressions")
    .where("email_key", "=", key)
    .where("created_at", ">=", since);
  if (await hasRows(suppressed)) return;
  await trx
    .updateTable("transactional_emails")
    .set({ state, detail })
    .where("id", "=", id)
    // Not of somebody who was erased meanwhile.
    .where("email_key", "=", key)
    .where("state", "=", "skipped")
    .execute();
}

/** Returns whether an address was used since a correction gave it to the person: emailed, or its suppression changed. */
async function isUsed(trx: Write, key: string, { suppression }: Undo, at: number): Promise<boolean> {
  const deliveries = selectDeliveriesTo(trx, key)
    .where("deliveries.state", "in", ["claimed", "sent", "uncertain", "retrying", "failed"])
    .where("deliveries.attempts", ">", 0)
    .where("deliveries.updated_at", ">=", at);
  const others = trx
    .selectFrom("transactional_emails")
    .where("email_key", "=", key)
    .where("state", "in", ["claimed", "sent", "uncertain", "retrying", "failed"])
    .where("updated_at", ">=", at);
  if ((await hasRows(deliveries)) || (await hasRows(others))) return true;
  const now = await trx
    .selectFrom("suppressions")
    .selectAll()
    .where("email_key", "=", key)
    .executeTakeFirst();
  if (suppression) return now?.id !== suppression.after.id || now.opted_out !== suppression.after.opted_out;
  return now !== undefined && now.created_at >= at;
}
