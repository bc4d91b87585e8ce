import type { Database, Write } from "~/db/database.server";
import type { Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { noMirror } from "~/services/mirrors/mirror-queue.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-queue.server";
import type { OptIn } from "~/services/signups/opt-in";
import { changeState } from "~/services/submissions/submission-states.server";
import { liftUnsubscription } from "~/services/suppressions/suppressions.server";
import { CONFIRMED_KIND, MAIL_INTERVAL_MS, judgeLink } from "./asking";
import type { LinkState } from "./asking";
import { ask, lockAsking } from "./asking.server";
import type { ConfirmationTokens } from "./confirmation-tokens.server";
import { purgeUnanswered } from "./purge.server";

/** "limited": a mail went out within the hour. */
export type NewLink =
  | { ok: true }
  | { ok: false; error: "confirmed" | "unknown" }
  | { ok: false; error: "limited"; retryAfterSeconds: number };

export type Confirmations = ReturnType<typeof createConfirmations>;

/** Signups that the owner of the address confirms, by a link in an email; ConfirmationRounds sends these emails. */
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

  const optIn: OptIn = {
    isRequired,
    async admit(trx, { kind, email, email_key }, now) {
      // Who unsubscribed and signs up again confirms that they want emails again. An inquiry asks for none.
      const waits = isRequired && kind === CONFIRMED_KIND;
      const isAskedAgain = kind !== "contact-form" && (await hasUnsubscribed(trx, email_key));
      if (!waits && !isAskedAgain) return { state: "accepted", isAsked: false };
      const { step } = await ask(trx, { dialect, newId }, { email, email_key }, now);
      const isConfirmed = step === "confirmed";
      return { state: waits && !isConfirmed ? "unconfirmed" : "accepted", isAsked: !isConfirmed };
    },
    wake,
  };

  return {
    optIn,

    /** What a link is good for; changes nothing. */
    async judge(token: string): Promise<LinkState> {
      const link = tokens.askingFrom(token);
      if (!link) return "unknown";
      const asked = await database.read
        .selectFrom("confirmations")
        .select("confirmed_at")
        .where("id", "=", link.id)
        .executeTakeFirst();
      return judgeLink(link, asked, clock());
    },

    /**
     * The owner of the address confirms it: all its signups that wait are accepted, and mail it unsubscribed from is
     * wanted again. Resolved means on disk.
     * @returns what the link was good for: "open" was confirmed now, "confirmed" before.
     */
    confirm(token: string, { network, requestId }: Provenance): Promise<LinkState> {
      const link = tokens.askingFrom(token);
      if (!link) return Promise.resolve("unknown");
      return database.write(async (trx) => {
        const now = clock();
        const asked = await lockAsking(trx, dialect, { id: link.id });
        const state = judgeLink(link, asked, now);
        if (!asked || state !== "open") return state;
        await trx
          .updateTable("confirmations")
          .set({ confirmed_at: now })
          .where("id", "=", asked.id)
          .execute();
        await withdrawMail(trx, asked.id);
        await acceptWaiting(trx, mirror, asked.email_key, now);
        await liftUnsubscription(trx, asked.email_key);
        await recordAudit(trx, {
          id: newId(),
          at: now,
          actor: "visitor",
          action: "confirm-signup",
          subject: asked.address,
          outcome: "ok",
          network,
          requestId,
        });
        return state;
      });
    },

    /** A new link for who holds an old one, in a mail to the same address. */
    async sendNewLink(token: string): Promise<NewLink> {
      const link = tokens.askingFrom(token);
      if (!link) return { ok: false, error: "unknown" };
      const outcome = await database.write(async (trx): Promise<NewLink> => {
        const now = clock();
        const asked = await lockAsking(trx, dialect, { id: link.id });
        if (!asked) return { ok: false, error: "unknown" };
        if (asked.confirmed_at !== null) return { ok: false, error: "confirmed" };
        const { address: email, email_key } = asked;
        const next = await ask(trx, { dialect, newId }, { email, email_key }, now);
        if (next.step !== "waits" || next.mailedAt === undefined) return { ok: true };
        const wait = next.mailedAt + MAIL_INTERVAL_MS - now;
        return { ok: false, error: "limited", retryAfterSeconds: Math.ceil(wait / 1000) };
      });
      if (outcome.ok) wake();
      return outcome;
    },

    /** See purgeUnanswered. */
    purge: (): Promise<number> => purgeUnanswered(database, clock()),
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
async function withdrawMail(trx: Write, id: string): Promise<void> {
  await trx
    .updateTable("confirmations")
    .set({ state: "skipped", detail: "confirmed" })
    .where("id", "=", id)
    .where("state", "in", ["pending", "retrying"])
    .execute();
}

async function acceptWaiting(trx: Write, mirror: MirrorQueue, email_key: string, now: number): Promise<void> {
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
