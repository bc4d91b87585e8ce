import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import { days } from "~/lib/durations";
import { getLeastUuid } from "~/lib/uuid";
import { createAudit, type Provenance } from "~/services/audit/audit.server";
import { noAutomaticEmails, type AutomaticQueue } from "~/services/automatic/automatic-queue.server";
import { noMirror, type MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { OptIn } from "~/services/signups/signups.server";
import { noteConfirmation } from "~/services/people/people-rows.server";
import { changeState, eraseSubmissions } from "~/services/submissions/submission-states.server";
import {
  getSuppressionReason,
  liftUnsubscription,
  selectSuppression,
} from "~/services/suppressions/suppressions.server";
import { sweepInChunks, sweepRows } from "~/services/sweep-in-chunks.server";
import {
  CONFIRMED_KINDS,
  EMAIL_INTERVAL_MS,
  getLinkState,
  getNextStep,
  LINK_LIFETIME_MS,
} from "./confirmation-request.server";
import type {
  ConfirmationTokens,
  ConfirmedKind,
  ConfirmedSubject,
  LinkState,
  NextStep,
} from "./confirmation-request.server";
import type { ConfirmationEmailKind } from "./confirmation-email.server";

/** "limited": an email was sent within the hour. */
type NewLink =
  | { ok: true }
  | { ok: false; error: "confirmed" | "unknown" }
  | { ok: false; error: "limited"; retryAfterSeconds: number };

interface AskedAddress {
  readonly email: string;
  readonly email_key: string;
  /** What the link confirms; left out: a signup for updates. */
  readonly about?: ConfirmedSubject | undefined;
}

interface ConfirmationsDeps extends ServiceDeps {
  readonly tokens: ConfirmationTokens;
  /** The queue of the emails with the links. */
  readonly emails: Pick<TransactionalEmails, "add" | "find">;
  readonly emailKind: ConfirmationEmailKind;
  /** Wakes the queue's worker, for there may be an email to send. */
  readonly wake: () => void;
  /** Without it, no confirmed signup is answered by an automatic email. */
  readonly automatic?: AutomaticQueue | undefined;
  /** Without it, nothing is mirrored. */
  readonly mirror?: MirrorQueue | undefined;
  /** DOUBLE_OPT_IN: the forms whose every signup waits for its confirmation. */
  readonly requiredFor: readonly ConfirmedKind[];
}

/** Creates the operations of double opt-in. */
export function createConfirmations(deps: ConfirmationsDeps) {
  const { database, tokens, clock, wake, mirror = noMirror, requiredFor } = deps;
  const { automatic = noAutomaticEmails } = deps;
  const audit = createAudit(deps);

  const optIn: OptIn = {
    requiredFor,
    async admit(trx, { kind, email, email_key }, now) {
      // An unsubscribed address that signs up again must be confirmed. An inquiry asks for no emails.
      const mustConfirm = requiredFor.some((required) => required === kind);
      const mustReconfirm =
        kind !== "contact-form" && (await getSuppressionReason({ read: trx }, email_key)) === "unsubscribed";
      if (!mustConfirm && !mustReconfirm) return { state: "accepted", mustWake: false };
      const about = kind === "early-access" && mustConfirm ? kind : undefined;
      const { step } = await requestConfirmation(trx, deps, { email, email_key, about }, now);
      const isConfirmed = step === "confirmed";
      return { state: mustConfirm && !isConfirmed ? "unconfirmed" : "accepted", mustWake: !isConfirmed };
    },
    wake,
  };

  return {
    optIn,

    /**
     * Queues the confirmation email that getNextStep asks for, if any: at once, or for the end of the hour since the last
     * one. Then `wake`.
     */
    request: (trx: Write, address: AskedAddress, now: number) => requestConfirmation(trx, deps, address, now),

    /** Returns what a link confirms, whatever its state. */
    getSubject: (token: string): ConfirmedSubject => tokens.readToken(token)?.about ?? "updates-signup",

    /** Returns the state of a link without changing it. */
    async getLinkState(token: string): Promise<LinkState> {
      const link = tokens.readToken(token);
      if (!link) return "unknown";
      const request = await database.read
        .selectFrom("confirmations")
        .select("confirmed_at")
        .where("id", "=", link.id)
        .executeTakeFirst();
      return getLinkState(link, request, clock());
    },

    /**
     * Confirms the address of a link: accepts all its unconfirmed signups and, unless the link is about the address alone,
     * removes its unsubscription. Resolves once it is committed.
     * @returns the state before: "open" means confirmed now, "confirmed" means earlier.
     */
    async confirm(token: string, from: Provenance): Promise<LinkState> {
      const link = tokens.readToken(token);
      if (!link) return "unknown";
      const { state, isAnswered } = await database.write(async (trx) => {
        const now = clock();
        const request = await lockRequest(trx, { id: link.id });
        const state = getLinkState(link, request, now);
        if (!request || state !== "open") return { state, isAnswered: false };
        await trx
          .updateTable("confirmations")
          .set({ confirmed_at: now })
          .where("id", "=", request.id)
          .execute();
        const accepted = await acceptUnconfirmed(trx, mirror, request.email_key, now);
        await noteConfirmation(trx, request.email_key, now);
        const isAboutAddress = link.about === "address";
        // An automatic email carries a link about the address alone: to confirm it is not to ask for emails again.
        if (!isAboutAddress) await liftUnsubscription(trx, request.email_key);
        const isAnswered = await automatic.add(trx, accepted);
        const action = isAboutAddress ? "confirm-address" : "confirm-signup";
        await audit(trx, { ...from, by: "visitor" }, { action, subject: request.address });
        return { state, isAnswered };
      });
      if (isAnswered) wake();
      return state;
    },

    /** Sends a new link to the address of an old one. */
    async sendNewLink(token: string): Promise<NewLink> {
      const link = tokens.readToken(token);
      if (!link) return { ok: false, error: "unknown" };
      const outcome = await database.write(async (trx): Promise<NewLink> => {
        const now = clock();
        const request = await lockRequest(trx, { id: link.id });
        if (!request) return { ok: false, error: "unknown" };
        if (request.confirmed_at !== null) return { ok: false, error: "confirmed" };
        const { address: email, email_key } = request;
        const next = await requestConfirmation(trx, deps, { email, email_key, about: link.about }, now);
        if (next.step !== "waits" || next.emailedAt === undefined) return { ok: true };
        const wait = next.emailedAt + EMAIL_INTERVAL_MS - now;
        return { ok: false, error: "limited", retryAfterSeconds: Math.ceil(wait / 1000) };
      });
      if (outcome.ok) wake();
      return outcome;
    },

    sweep: (): Promise<number> => sweepUnconfirmed(database, clock()),
  };
}

/** @returns those that an automatic email may answer. */
async function acceptUnconfirmed(trx: Write, mirror: MirrorQueue, email_key: string, now: number) {
  const rows = await selectUnconfirmed(trx)
    .select(["kind", "email", "email_key", "notify"])
    .where("email_key", "=", email_key)
    .execute();
  for (const kind of CONFIRMED_KINDS) {
    const ids = rows.filter((row) => row.kind === kind).map(({ id }) => id);
    const set = { admitted_at: now };
    await changeState(trx, ids, { kind, from: "unconfirmed", to: "accepted", set }, mirror);
  }
  return rows.filter(({ notify }) => notify === 1);
}

function selectUnconfirmed(trx: Write) {
  return trx
    .selectFrom("submissions")
    .select("submissions.id")
    .where("kind", "in", CONFIRMED_KINDS)
    .where("state", "=", "unconfirmed");
}

/** Reads a request with the suppression reason of its address, and locks it until the transaction ends. */
function lockRequest(trx: Write, selector: { id: string } | { email_key: string }) {
  return trx
    .selectFrom("confirmations")
    .selectAll()
    .select(selectSuppression("confirmations"))
    .where((row) => row.and(selector))
    .forUpdate("confirmations")
    .executeTakeFirst();
}

/**
 * Queues the confirmation email that getNextStep asks for, if any: at once, or for the end of the hour since the last
 * one.
 */
async function requestConfirmation(
  trx: Write,
  deps: Pick<ConfirmationsDeps, "newId" | "emails" | "emailKind">,
  { email, email_key, about }: AskedAddress,
  now: number,
): Promise<NextStep> {
  const { newId, emails, emailKind } = deps;
  const first = await trx
    .insertInto("confirmations")
    .values({ id: newId(), address: email, email_key, requested_at: now })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (first) {
    await emails.add(trx, emailKind, { address: email, data: { id: first.id, requested_at: now, about } });
    return { step: "ask", notBefore: 0 };
  }

  const request = await lockRequest(trx, { email_key });
  // It was removed between the two statements.
  if (!request) return requestConfirmation(trx, deps, { email, email_key, about }, now);
  const latest = await emails.find(trx, emailKind, request);
  const next = getNextStep(request, latest, { about, suppression: request.suppression }, now);
  if (next.step === "ask" || next.step === "renew") {
    // A new id keeps the used link invalid, and a link about the address alone from using up this one.
    const id = next.step === "renew" ? newId() : request.id;
    const { notBefore } = next;
    await trx
      .updateTable("confirmations")
      .set({ id, address: email, requested_at: now, confirmed_at: null })
      .where("id", "=", request.id)
      .execute();
    await emails.add(trx, emailKind, { address: email, data: { id, requested_at: now, about }, notBefore });
  }
  return next;
}

/** Retention of a signup after its link expired; until then a new link can be requested. */
const UNCONFIRMED_RETENTION_MS = days(30);
const CHUNK = 500;

/**
 * Removes signups that were never confirmed, with their consents and confirmation requests, in batches.
 * @returns how many signups were removed.
 */
async function sweepUnconfirmed(database: Database, now: number): Promise<number> {
  const askedBefore = now - LINK_LIFETIME_MS - UNCONFIRMED_RETENTION_MS;
  const unconfirmed = database.read
    .selectFrom("confirmations")
    .select("email_key")
    .where("confirmed_at", "is", null)
    .where("requested_at", "<=", askedBefore);
  const erase = async (trx: Write, signups: ReturnType<typeof selectUnconfirmed>) =>
    eraseSubmissions(trx, await fetchIds(signups.limit(CHUNK)), "unconfirmed");
  const expired = await sweepInChunks(database, CHUNK, (trx) =>
    erase(trx, selectUnconfirmed(trx).where("email_key", "in", unconfirmed)),
  );
  // Not before, because the query above needs the requests.
  const isExpired = sql<boolean>`confirmed_at is null and requested_at <= ${askedBefore}`;
  await sweepRows(database, { table: "confirmations", key: "id" }, isExpired);
  // A correction leaves signups that nobody is asked about, where the right address was confirmed (people/corrections.server.ts).
  const unasked = await sweepInChunks(database, CHUNK, (trx) => {
    const old = selectUnconfirmed(trx).where("submissions.id", "<", getLeastUuid(askedBefore));
    return erase(
      trx,
      old.where((row) => {
        const open = row
          .selectFrom("confirmations")
          .select("confirmations.id")
          .whereRef("confirmations.email_key", "=", "submissions.email_key")
          .where("confirmed_at", "is", null);
        return row.not(row.exists(open));
      }),
    );
  });
  return expired + unasked;
}
