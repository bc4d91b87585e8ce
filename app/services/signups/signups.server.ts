import { sql } from "kysely";
import { hash } from "node:crypto";
import type { Database, Write } from "~/db/database.server";
import { fetchPage } from "~/db/rows";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { hours, minutes } from "~/lib/durations";
import { emailKey } from "~/lib/email-address";
import type { ListPage } from "~/lib/list-page";
import { shortenAddress } from "~/lib/network-address";
import type { Period } from "~/lib/periods";
import { API_SOURCE, cleanSource, UNKNOWN_SOURCE } from "~/lib/source";
import { recordAlert } from "~/services/alerts/record-alert.server";
import { consume, getNetworkLimits } from "~/services/attempts/attempts.server";
import { createAudit } from "~/services/audit/audit.server";
import { noAutomaticEmails, type AutomaticQueue } from "~/services/automatic/automatic-queue.server";
import { noMirror, type MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import type { Clock, ServiceDeps } from "~/services/service-deps";
import { countByPeriod } from "~/services/submissions/period-counts.server";
import {
  countByKind,
  countInState,
  insertSubmissions,
} from "~/services/submissions/submission-states.server";
import { limitSubmissionSource } from "~/services/sources/submission-sources.server";
import { sweepRows } from "~/services/sweep-in-chunks.server";
import { SORT_KEYS } from "~/services/submissions/sort-keys";
import { NEWEST_FIRST, type SubmissionOrder } from "~/services/submissions/submission-filter";
import { CONFIRMED_KINDS } from "~/services/confirmations/confirmation-request.server";
import type { FormStamps } from "./form-stamp.server";
import type { FormColumns, SubmissionKind, TypedColumns } from "~/lib/form-fields";
import { EMPTY_FIELDS, TYPED_COLUMNS } from "~/lib/typed-columns";

/** Forms from one network: the eleventh in a minute is refused (hardening C27). */
const PER_NETWORK = { allowed: 10, windowMs: minutes(1) };
/** Submissions passed on by programs from one network: a server sends for many people (docs/api.md). */
const PER_PROGRAMS_NETWORK = { allowed: 120, windowMs: minutes(1) };
/** Distinct forms for one address. */
const PER_ADDRESS = { allowed: 10, windowMs: hours(1) };
/** Time within which identical content is stored once (hardening C26). */
const SAME_CONTENT_MS = hours(24);

/** Context of a form that a visitor submitted, besides its content. */
export interface FormContext {
  /** Hidden field that people do not see; bots fill it. */
  readonly honeypot: string;
  readonly stamp: string;
  readonly consent: { readonly wording: string; readonly version: string };
  /** Full network address of the sender. */
  readonly address: string;
  /** Where the sender came from, as sent: any text. Left out or empty: unknown; of a program: "api". */
  readonly source?: string | undefined;
}

/** Context of a submission that a program passes on: the program vouches for the person and for their consent. */
export type ProgramContext = Pick<FormContext, "consent" | "address" | "source"> & {
  readonly isByProgram: true;
  /** Whether an automatic email may answer it; left out: none does. */
  readonly notify?: boolean | undefined;
};

type SubmissionContext = FormContext | ProgramContext;

type Applicant = Pick<SubmissionsTable, "kind" | "email" | "email_key">;

interface Admission {
  readonly state: "accepted" | "unconfirmed";
  /** True where a confirmation is awaited: an email that asks for it may be queued. */
  readonly mustWake: boolean;
}

/**
 * Asks the owner of an address to confirm a signup. One of a form that DOUBLE_OPT_IN names is unconfirmed until then. Another
 * is accepted, and its owner is asked only if the address unsubscribed before; that of an inquiry never is.
 *
 * Contract
 * - `admit` decides the state of a submission that is not quarantined. It queues the confirmation email in the same
 *   transaction; each address gets at most one per hour. Safe to call again.
 * - `wake` is called after that transaction, so that the email goes at once; after that of an automatic email, too.
 */
export interface OptIn {
  /** The forms whose signups count only after their confirmation (DOUBLE_OPT_IN). */
  readonly requiredFor: readonly SubmissionKind[];
  admit(trx: Write, applicant: Applicant, now: number): Promise<Admission>;
  wake(): void;
}

/** Accepts every submission without a confirmation. */
export const noOptIn: OptIn = {
  requiredFor: [],
  admit: async () => ({ state: "accepted", mustWake: false }),
  wake: () => undefined,
};

/**
 * "stored", "repeated" and "quarantined" look the same to the sender. "expired" asks them to submit again with the
 * fresh stamp of the returned page.
 */
export type SignupOutcome =
  | { ok: true; outcome: "stored" | "repeated" | "quarantined" }
  | { ok: false; error: "expired" }
  | { ok: false; error: "limited"; retryAfterSeconds: number };

export type Signups = ReturnType<typeof createSignups>;

export interface SignupsDeps extends ServiceDeps {
  readonly stamps: FormStamps;
  /** Left out: no confirmations are required. */
  readonly optIn?: OptIn | undefined;
  /** Left out: no form is answered by an automatic email. */
  readonly automatic?: AutomaticQueue | undefined;
  /** Left out: nothing is mirrored. */
  readonly mirror?: MirrorQueue | undefined;
}

export function createSignups(deps: SignupsDeps) {
  const { database, stamps, clock, newId, optIn = noOptIn } = deps;
  const { automatic = noAutomaticEmails, mirror = noMirror } = deps;
  const { read } = database;
  const audit = createAudit(deps);

  return {
    /** Returns whether a signup by this form counts only after its confirmation (DOUBLE_OPT_IN). */
    needsConfirmation: (kind: SubmissionKind): boolean => optIn.requiredFor.includes(kind),

    stampForm: (): string => stamps.create(clock()),

    /** Stamps a form that was open for too long. */
    restampForm: (): string => stamps.renew(clock()),

    /** Stores a submission with its consent; resolves when it is on disk. */
    record: <Kind extends SubmissionKind>(kind: Kind, columns: FormColumns[Kind], form: SubmissionContext) =>
      store({ ...EMPTY_FIELDS, ...columns, kind }, form),

    /** Counts the accepted submissions of each form. */
    counts: () => countByKind(read, "accepted"),

    /** Counts the signups that await confirmation by the owner of their address (DOUBLE_OPT_IN). */
    countUnconfirmed: () => countInState(read, "unconfirmed"),

    /** Counts the accepted submissions in periods (`countByPeriod`). */
    countByPeriod: (periods: readonly Pick<Period, "from" | "until">[]) => countByPeriod(read, periods),

    /** Lists accepted submissions of a form; newest first unless sorted. */
    list(kind: SubmissionKind, page: ListPage, order: SubmissionOrder = NEWEST_FIRST) {
      return listInState([kind], "accepted", page, order);
    },

    /** Lists the signups of all forms that await their confirmation; newest first unless sorted. */
    listUnconfirmed: (page: ListPage, order: SubmissionOrder = NEWEST_FIRST) =>
      listInState(CONFIRMED_KINDS, "unconfirmed", page, order),
  };

  function listInState(
    kinds: readonly SubmissionKind[],
    state: "accepted" | "unconfirmed",
    page: ListPage,
    order: SubmissionOrder,
  ) {
    const submissions = read
      .selectFrom("submissions")
      .select(["id", "kind", "created_at", ...TYPED_COLUMNS])
      .where("kind", "in", kinds)
      .where("state", "=", state);
    return fetchPage(submissions, page, { key: SORT_KEYS[order.sort], direction: order.direction });
  }

  async function store(content: Content, form: SubmissionContext): Promise<SignupOutcome> {
    const now = clock();
    const isByProgram = "isByProgram" in form;
    const verdict = isByProgram ? "ok" : stamps.verify(form.stamp, now);
    if (verdict === "expired") return { ok: false, error: "expired" };
    const suspicion = !isByProgram && form.honeypot !== "" ? "honeypot" : verdict;
    const reason: SubmissionsTable["quarantine_reason"] = suspicion === "ok" ? "" : suspicion;
    const row = {
      id: newId(),
      ...content,
      email_key: emailKey(content.email),
      quarantine_reason: reason,
      created_at: now,
      source: cleanSource(form.source ?? "") || (isByProgram ? API_SOURCE : UNKNOWN_SOURCE),
      admitted_at: null,
      notify: isByProgram && form.notify !== true ? 0 : 1,
    } as const;
    const fingerprint = computeFingerprint(row);

    const { outcome, mustWake } = await database.write(async (trx): Promise<Recorded> => {
      // First step, so that of identical submissions at the same moment all but one wait here and are then treated as repeats.
      if (!(await claimFingerprint(trx, { fingerprint, id: row.id, now }))) {
        // A sender who repeats a signup may be waiting for an email that never arrived.
        const mustWake = reason === "" && (await optIn.admit(trx, row, now)).mustWake;
        return { outcome: { ok: true, outcome: "repeated" }, mustWake };
      }
      const networkLimits = isByProgram
        ? getNetworkLimits("program-form", form.address, PER_PROGRAMS_NETWORK)
        : getNetworkLimits("form", form.address, PER_NETWORK);
      const limits = { ...networkLimits, [getFormAttemptsKey(row.email_key)]: PER_ADDRESS };
      const attempt = await consume(trx, limits, now);
      if (!attempt.ok) {
        await trx.deleteFrom("submission_fingerprints").where("fingerprint", "=", fingerprint).execute();
        if (attempt.isFirst) {
          const actor = { by: "visitor", network: shortenAddress(form.address), requestId: "" };
          await audit(trx, actor, { action: "throttle-form", subject: row.kind, outcome: "refused" });
        }
        return { outcome: { ok: false, error: "limited", retryAfterSeconds: attempt.retryAfterSeconds } };
      }
      const admission = reason === "" ? await optIn.admit(trx, row, now) : undefined;
      const state = admission?.state ?? "quarantined";
      const consent = {
        wording: form.consent.wording,
        wording_version: form.consent.version,
        network: shortenAddress(form.address),
      };
      const source = await limitSubmissionSource(trx, row);
      await insertSubmissions(trx, [{ ...row, source, state }], consent, mirror);
      const isAnswered = state === "accepted" && row.notify === 1 && (await automatic.add(trx, [row]));
      if (row.kind === "contact-form" && state === "accepted") {
        await recordAlert(trx, { event: "inquiry", at: row.created_at });
      }
      return {
        outcome: { ok: true, outcome: reason ? "quarantined" : "stored" },
        mustWake: isAnswered || admission?.mustWake,
      };
    });
    if (mustWake) optIn.wake();
    return outcome;
  }
}

type Recorded = { outcome: SignupOutcome; mustWake?: boolean | undefined };
type Content = TypedColumns & Pick<SubmissionsTable, "kind">;

/** Returns the rate limit key of forms sent for an address. */
export const getFormAttemptsKey = (email_key: string): string => `form-to:${email_key}`;

/**
 * Hashes what makes two submissions identical: form, quarantined or not, and every typed field. The source is left out:
 * the same form sent from another tab is a repeat.
 */
function computeFingerprint(
  row: Content & Pick<SubmissionsTable, "quarantine_reason" | "email_key">,
): string {
  const content = [
    row.kind,
    row.quarantine_reason ? "quarantined" : "accepted",
    row.email_key,
    ...TYPED_COLUMNS.filter((column) => column !== "email").map((column) => row[column]),
  ];
  return hash("sha256", JSON.stringify(content));
}

type FingerprintClaim = { fingerprint: string; id: string; now: number };

/** Stores a fingerprint. @returns whether it is new within its window. */
async function claimFingerprint(trx: Write, { fingerprint, id, now }: FingerprintClaim): Promise<boolean> {
  const claimed = await trx
    .insertInto("submission_fingerprints")
    .values({ fingerprint, submission_id: id, seen_at: now })
    .onConflict((conflict) =>
      conflict
        .column("fingerprint")
        .doUpdateSet({ submission_id: id, seen_at: now })
        .where(sql<boolean>`submission_fingerprints.seen_at + ${sql.lit(SAME_CONTENT_MS)} <= ${now}`),
    )
    .returning("submission_id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Removes fingerprints so old that the same content counts as new again. */
export function sweepFingerprints(database: Database, clock: Clock): Promise<void> {
  const isOver = sql<boolean>`seen_at <= ${clock() - SAME_CONTENT_MS}`;
  return sweepRows(database, { table: "submission_fingerprints", key: "fingerprint" }, isOver);
}
