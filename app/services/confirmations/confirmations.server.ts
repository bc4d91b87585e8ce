import type { Database, Write } from "~/db/database.server";
import type { Provenance } from "~/services/audit/audit.server";
import { createAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { noMirror } from "~/services/mirrors/mirror-rows.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import type { OptIn } from "~/services/signups/opt-in";
import { changeState, eraseSubmissions } from "~/services/submissions/submission-states.server";
import { liftUnsubscription } from "~/services/suppressions/suppressions.server";
import {
  CONFIRMED_KIND,
  EMAIL_INTERVAL_MS,
  getLinkState,
  getNextStep,
  LINK_LIFETIME_MS,
} from "./confirmation-request";
import type { LinkState, Confirmation, NextStep } from "./confirmation-request";
import type { ConfirmationTokens } from "./confirmation-tokens.server";
import type { SuppressionsTable } from "~/db/tables/suppressions";
import { days } from "~/lib/durations";
import { sweepInPieces } from "~/services/sweep-in-pieces.server";
/** "limited": a mail went out within the hour. */
export type NewLink =
  | { ok: true }
  | { ok: false; error: "confirmed" | "unknown" }
  | { ok: false; error: "limited"; retryAfterSeconds: number };

export type Confirmations = ReturnType<typeof createConfirmations>;

/** Signups that the owner of the address confirms, by a link in an email; confirmation-jobs.server.ts sends these emails. */
export function createConfirmations(deps: {
  database: Database;
  tokens: ConfirmationTokens;
  clock: Clock;
  newId: NewId;
  /** Tells the worker that there may be a mail to send. */
  wake: () => void;
  /** Left out: nothing is copied elsewhere. */
  mirror?: MirrorQueue | undefined;
  /** DOUBLE_OPT_IN: every signup for updates waits for its confirmation. */
  isRequired: boolean;
}) {
  const { database, tokens, clock, newId, wake, mirror = noMirror, isRequired } = deps;
  const { dialect } = database;
  const audit = createAudit(deps);

  const optIn: OptIn = {
    isRequired,
    async admit(trx, { kind, email, email_key }, now) {
      // Who unsubscribed and signs up again confirms that they want emails again. An inquiry asks for none.
      const waits = isRequired && kind === CONFIRMED_KIND;
      const isAskedAgain = kind !== "contact-form" && (await hasUnsubscribed(trx, email_key));
      if (!waits && !isAskedAgain) return { state: "accepted", isAsked: false };
      const { step } = await requestConfirmation(trx, { dialect, newId }, { email, email_key }, now);
      const isConfirmed = step === "confirmed";
      return { state: waits && !isConfirmed ? "unconfirmed" : "accepted", isAsked: !isConfirmed };
    },
    wake,
  };

  return {
    optIn,

    /** What a link is good for; changes nothing. */
    async getLinkState(token: string): Promise<LinkState> {
      const link = tokens.requestFrom(token);
      if (!link) return "unknown";
      const request = await database.read
        .selectFrom("confirmations")
        .select("confirmed_at")
        .where("id", "=", link.id)
        .executeTakeFirst();
      return getLinkState(link, request, clock());
    },

    /**
     * The owner of the address confirms it: all its signups that wait are accepted, and mail it unsubscribed from is
     * wanted again. Resolved means on disk.
     * @returns what the link was good for: "open" was confirmed now, "confirmed" before.
     */
    confirm(token: string, from: Provenance): Promise<LinkState> {
      const link = tokens.requestFrom(token);
      if (!link) return Promise.resolve("unknown");
      return database.write(async (trx) => {
        const now = clock();
        const request = await lockRequest(trx, dialect, { id: link.id });
        const state = getLinkState(link, request, now);
        if (!request || state !== "open") return state;
        await trx
          .updateTable("confirmations")
          .set({ confirmed_at: now })
          .where("id", "=", request.id)
          .execute();
        await skipPendingEmail(trx, request.id);
        await acceptUnconfirmed(trx, mirror, request.email_key, now);
        await liftUnsubscription(trx, request.email_key);
        await audit(trx, { ...from, by: "visitor" }, { action: "confirm-signup", subject: request.address });
        return state;
      });
    },

    /** A new link for who holds an old one, in a mail to the same address. */
    async sendNewLink(token: string): Promise<NewLink> {
      const link = tokens.requestFrom(token);
      if (!link) return { ok: false, error: "unknown" };
      const outcome = await database.write(async (trx): Promise<NewLink> => {
        const now = clock();
        const request = await lockRequest(trx, dialect, { id: link.id });
        if (!request) return { ok: false, error: "unknown" };
        if (request.confirmed_at !== null) return { ok: false, error: "confirmed" };
        const { address: email, email_key } = request;
        const next = await requestConfirmation(trx, { dialect, newId }, { email, email_key }, now);
        if (next.step !== "waits" || next.emailedAt === undefined) return { ok: true };
        const wait = next.emailedAt + EMAIL_INTERVAL_MS - now;
        return { ok: false, error: "limited", retryAfterSeconds: Math.ceil(wait / 1000) };
      });
      if (outcome.ok) wake();
      return outcome;
    },

    /** See purgeUnanswered. */
    purge: (): Promise<number> => purgeUnconfirmed(database, clock()),
  };
}

async function hasUnsubscribed(trx: Write, email_key: string): Promise<boolean> {
  const row = await trx
    .selectFrom("suppressions")
    .select("reason")
    .where("email_key", "=", email_key)
    .executeTakeFirst();
  return row?.reason === "unsubscribed";
}

/** A newer mail that has not gone yet need not go. */
async function skipPendingEmail(trx: Write, id: string): Promise<void> {
  await trx
    .updateTable("confirmations")
    .set({ state: "skipped", detail: "confirmed" })
    .where("id", "=", id)
    .where("state", "in", ["pending", "retrying"])
    .execute();
}

async function acceptUnconfirmed(
  trx: Write,
  mirror: MirrorQueue,
  email_key: string,
  now: number,
): Promise<void> {
  const waiting = await trx
    .selectFrom("submissions")
    .select("id")
    .where("kind", "=", CONFIRMED_KIND)
    .where("state", "=", "unconfirmed")
    .where("email_key", "=", email_key)
    .execute();
  await changeState(
    trx,
    waiting.map(({ id }) => id),
    { kind: CONFIRMED_KIND, from: "unconfirmed", to: "accepted", set: { admitted_at: now } },
    mirror,
  );
}

type Dialect = Database["dialect"];

const PENDING_JOB = {
  state: "pending",
  detail: "",
  attempts: 0,
  resent_after_crash: 0,
  lease_owner: "",
  lease_until: 0,
} as const;

/** The request, held until the transaction ends, with why its address gets no mail. */
export async function lockRequest(
  trx: Write,
  dialect: Dialect,
  selector: { id: string } | { email_key: string },
): Promise<(Confirmation & { suppression: SuppressionsTable["reason"] | null }) | undefined> {
  return trx
    .selectFrom("confirmations")
    .selectAll()
    .select((row) =>
      row
        .selectFrom("suppressions")
        .select("reason")
        .whereRef("suppressions.email_key", "=", "confirmations.email_key")
        .as("suppression"),
    )
    .where((row) => row.and(selector))
    .$if(dialect === "postgres", (query) => query.forUpdate("confirmations"))
    .executeTakeFirst();
}

/** Queues the mail that asks an address, unless it confirmed before or was asked within the hour. */
export async function requestConfirmation(
  trx: Write,
  { dialect, newId }: { dialect: Dialect; newId: NewId },
  { email, email_key }: { email: string; email_key: string },
  now: number,
): Promise<NextStep> {
  const first = await trx
    .insertInto("confirmations")
    .values({
      id: newId(),
      address: email,
      email_key,
      asked_at: now,
      confirmed_at: null,
      ...PENDING_JOB,
      not_before: 0,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (first) return { step: "ask", notBefore: 0 };

  const request = await lockRequest(trx, dialect, { email_key });
  // It was purged this very moment.
  if (!request) return requestConfirmation(trx, { dialect, newId }, { email, email_key }, now);
  const next = getNextStep(request, request.suppression, now);
  if (next.step === "ask" || next.step === "renew") {
    await trx
      .updateTable("confirmations")
      .set({ address: email, asked_at: now, ...PENDING_JOB, not_before: next.notBefore, updated_at: now })
      // A link that was used must not become good again.
      .$if(next.step === "renew", (query) => query.set({ id: newId(), confirmed_at: null }))
      .where("id", "=", request.id)
      .execute();
  }
  return next;
}

/** How long a signup is kept whose link expired unused; its owner can still ask for a new one until then. */
const UNCONFIRMED_RETENTION_MS = days(30);
const CHUNK = 500;

/**
 * Removes signups nobody confirmed, with their consents, and what was asked about them, in pieces.
 * @returns how many signups were removed.
 */
export async function purgeUnconfirmed(database: Database, now: number): Promise<number> {
  const askedBefore = now - LINK_LIFETIME_MS - UNCONFIRMED_RETENTION_MS;
  const unconfirmed = database.read
    .selectFrom("confirmations")
    .select("email_key")
    .where("confirmed_at", "is", null)
    .where("asked_at", "<=", askedBefore);
  const signups = await sweepInPieces(database, CHUNK, async (trx) => {
    const batch = await trx
      .selectFrom("submissions")
      .select("id")
      .where("kind", "=", CONFIRMED_KIND)
      .where("state", "=", "unconfirmed")
      .where("email_key", "in", unconfirmed)
      .limit(CHUNK)
      .execute();
    const ids = batch.map(({ id }) => id);
    return { numDeletedRows: BigInt(await eraseSubmissions(trx, ids, "unconfirmed")) };
  });
  // Only now that no signup waits for them any more.
  await sweepInPieces(database, CHUNK, (trx) =>
    trx
      .deleteFrom("confirmations")
      .where("id", "in", unconfirmed.clearSelect().select("id").limit(CHUNK))
      .where("asked_at", "<=", askedBefore)
      .executeTakeFirst(),
  );
  return signups;
}
