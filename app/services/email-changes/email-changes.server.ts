import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { days, hours } from "~/lib/durations";
import { emailKey } from "~/lib/email-address";
import { createLinkToken, hashLinkToken, isLinkToken } from "~/lib/link-token.server";
import type { SetTimer } from "~/lib/set-timer";
import { within } from "~/lib/within";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import {
  checkOwnPassword,
  lockCheckedAccount,
  refundPasswordAttempt,
  type OwnPasswordCheck,
} from "~/services/accounts/passwords.server";
import { consume } from "~/services/attempts/attempts.server";
import {
  consumeLinkAttempt,
  countIfGuess,
  type ThrottledLink,
} from "~/services/attempts/link-attempts.server";
import { createAudit, type Caller, type Provenance } from "~/services/audit/audit.server";
import { revokePending } from "~/services/invitations/revoke-pending.server";
import { SEND_TIMEOUT_MS } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import { getEmailState, toEmailState, type EmailState } from "~/services/mail/transactional/email-state";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import { moveNotes } from "~/services/people/notes.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { sweepRows } from "~/services/sweep-in-chunks.server";
import { EMAIL_CHANGE_LIFETIME_MS, getEmailChangeState, type EmailChangeState } from "./email-change";
import { EMAIL_CHANGE, type EmailChangedKind, type EmailChangeEmail } from "./email-change-emails";
import { withdrawPendingEmailChanges } from "./withdraw-pending.server";

/** Links that one account may have sent, each to an address of somebody who did not ask for it. */
const PER_ACCOUNT = { allowed: 5, windowMs: hours(1) };
/** How guesses at links, and their forms, are counted. */
const LINK_ATTEMPTS = { prefix: "confirm-email", action: "throttle-email-change" } as const;
/** How long a link that ended still says why. */
const RETENTION_MS = days(30);

/** A change that waits for its link to be confirmed. */
export interface PendingEmailChange {
  /** The new address. */
  readonly email: string;
  readonly expiresAt: number;
  readonly delivery: EmailState;
}

/**
 * - unchanged: it is the account's address already.
 * - taken: another account has it.
 * - protected: the server's settings name the old or the new address.
 * - throttled: too many wrong passwords, or too many links.
 */
type RequestOutcome =
  | { ok: true; delivery: EmailState }
  | { ok: false; error: "unchanged" | "taken" | "protected" }
  | Extract<OwnPasswordCheck, { ok: false }>;

type FoundLink =
  { state: Exclude<EmailChangeState, "open"> } | { state: "open"; email: string } | ThrottledLink;

type Confirmation =
  | { ok: true }
  | { ok: false; error: Exclude<EmailChangeState, "open"> }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

interface EmailChangesDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  /** Addresses in lower case that no account takes or leaves by itself. */
  readonly protectedAccounts: readonly string[];
  /** Returns `count` bytes of cryptographic randomness. */
  readonly randomBytes: (count: number) => Buffer;
  readonly emails: Pick<TransactionalEmails, "send" | "add" | "worker">;
  /** Tells the old address. */
  readonly changedKind: EmailChangedKind;
  readonly sender: Email["from"];
  readonly compose: (parts: EmailChangeEmail) => Email;
  /** Returns the absolute URL of a link. */
  readonly toUrl: (token: string) => string;
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/**
 * Changes the address of one's own account: asked for with the password, and confirmed by a link of 256 random bits to
 * the new address, of which the database stores only the SHA-256. A link works once, for 24 hours; opening it changes
 * nothing, because email scanners open links. Every row is one link: asking again replaces the pending one.
 */
export function createEmailChanges(deps: EmailChangesDeps) {
  const { database, clock, newId, emails, protectedAccounts } = deps;
  const audit = createAudit(deps);

  return {
    /** Returns whether the server's settings name an address, so that no account takes or leaves it by itself. */
    isProtected,

    /** Finds the person's change that is neither confirmed, withdrawn nor expired, or undefined. */
    async getPending({ accountId }: Pick<SignedIn, "accountId">): Promise<PendingEmailChange | undefined> {
      const row = await database.read
        .selectFrom("email_changes")
        .leftJoin("transactional_emails", (join) =>
          join
            .onRef("transactional_emails.unique_key", "=", "email_changes.id")
            .on("transactional_emails.kind", "=", EMAIL_CHANGE.name),
        )
        .select(["email", "expires_at", "state", "detail"])
        .where("account_id", "=", accountId)
        .where("confirmed_at", "is", null)
        .where("withdrawn_at", "is", null)
        .where("expires_at", ">", clock())
        .executeTakeFirst();
      return row && { email: row.email, expiresAt: row.expires_at, delivery: getEmailState(row) };
    },

    /** Sends a link to the new address. Resolves once the mail server answered, after 30 s at the latest. */
    async request(
      operator: SignedIn,
      input: { email: string; password: string },
      origin: Caller,
    ): Promise<RequestOutcome> {
      const email = emailKey(input.email);
      const checked = await checkOwnPassword(deps, operator, "request-email-change", input.password, origin);
      if (!checked.ok) return checked;
      const issued = await database.write(async (trx) => {
        const account = await lockCheckedAccount(trx, operator, checked.passwordHash);
        if (!account) return { ok: false, error: "signed-out" } as const;
        await refundPasswordAttempt(trx, operator.email, origin.address);
        if (email === account.email) return { ok: false, error: "unchanged" } as const;
        if (isProtected(email) || isProtected(account.email))
          return { ok: false, error: "protected" } as const;
        if (await hasAccount(trx, email)) return { ok: false, error: "taken" } as const;
        const key = `email-change:${operator.accountId}`;
        const attempt = await consume(trx, { [key]: PER_ACCOUNT }, clock());
        if (!attempt.ok) {
          const { retryAfterSeconds } = attempt;
          return { ok: false, error: "throttled", retryAfterSeconds } as const;
        }
        await withdrawPendingEmailChanges(trx, clock(), operator.accountId);
        const actor = { ...origin, by: account.email };
        await audit(trx, actor, { action: "request-email-change", subject: email });
        return insertLink(trx, operator.accountId, email);
      });
      if (!issued.ok) return issued;
      const { id, url } = issued;
      const sending = emails.send(
        EMAIL_CHANGE,
        { address: email, data: { change: id } },
        {
          compose: (messageId) =>
            deps.compose({
              address: email,
              sender: deps.sender,
              messageId,
              url,
              validForMs: EMAIL_CHANGE_LIFETIME_MS,
            }),
        },
      );
      // The change is pending whatever happens to its email.
      return { ok: true, delivery: toEmailState(await within(SEND_TIMEOUT_MS, sending, deps.setTimer)) };
    },

    /** Withdraws the person's pending change: its link stops working. @returns false when there was none. */
    withdraw: ({ accountId, email }: SignedIn, origin: Provenance): Promise<boolean> =>
      database.write(async (trx) => {
        const [subject] = await withdrawPendingEmailChanges(trx, clock(), accountId);
        if (subject === undefined) return false;
        await audit(trx, { ...origin, by: email }, { action: "withdraw-email-change", subject });
        return true;
      }),

    /** Returns the state of a link without changing it. Well-formed links that are unknown count as guesses. */
    async getLink(token: string, caller: Caller): Promise<FoundLink> {
      const link = await findLink(database.read, token);
      const state = getState(link);
      if (state === "open" && link) return { state, email: link.email };
      const ended = { token, state: state === "open" ? "unknown" : state } as const;
      return countIfGuess(deps, LINK_ATTEMPTS, ended, caller);
    },

    /**
     * Gives the account of an open link its new address, and tells the old one. Sessions go on: they are the account's,
     * and whoever else is logged in to it can still object. Of two concurrent calls one succeeds.
     */
    async confirm(token: string, origin: Caller): Promise<Confirmation> {
      const throttled = await consumeLinkAttempt(deps, LINK_ATTEMPTS, origin);
      if (throttled) {
        return { ok: false, error: "throttled", retryAfterSeconds: throttled.retryAfterSeconds };
      }
      const outcome = await database.write(async (trx): Promise<Confirmation> => {
        const found = await findLink(trx, token);
        if (found) await lockChange(trx, found);
        const link = found && (await findLink(trx, token));
        const state = getState(link);
        if (state !== "open" || !link) return { ok: false, error: state === "open" ? "unknown" : state };
        const { id, account_id, email, old_email } = link;
        await trx.updateTable("accounts").set({ email }).where("id", "=", account_id).execute();
        await moveNotes(trx, { from: old_email, to: email });
        await trx.updateTable("email_changes").set({ confirmed_at: clock() }).where("id", "=", id).execute();
        // An invitation to this address would open again once the account has another one.
        await revokePending(trx, clock(), { email });
        await emails.add(trx, deps.changedKind, { address: old_email, data: { change: id } });
        await audit(trx, { ...origin, by: old_email }, { action: "change-email", subject: email });
        return { ok: true };
      });
      if (outcome.ok) emails.worker.wake();
      return outcome;
    },

    /** Deletes the links that ended long ago. */
    sweep: (): Promise<void> =>
      sweepRows(
        database,
        { table: "email_changes", key: "id" },
        sql<boolean>`expires_at <= ${clock() - RETENTION_MS}`,
      ),
  };

  function isProtected(email: string): boolean {
    return protectedAccounts.includes(email);
  }

  async function insertLink(trx: Write, accountId: string, email: string) {
    const token = createLinkToken(deps.randomBytes);
    const id = newId();
    const now = clock();
    await trx
      .insertInto("email_changes")
      .values({
        id,
        account_id: accountId,
        email,
        token_hash: hashLinkToken(token),
        created_at: now,
        expires_at: now + EMAIL_CHANGE_LIFETIME_MS,
        confirmed_at: null,
        withdrawn_at: null,
      })
      .execute();
    return { ok: true, id, url: deps.toUrl(token) } as const;
  }

  function getState(link: Awaited<ReturnType<typeof findLink>>): EmailChangeState {
    const isTaken =
      link !== undefined &&
      (link.other_id !== null || isProtected(link.email) || isProtected(link.old_email));
    return getEmailChangeState(link, isTaken, clock());
  }
}

const hasAccount = (trx: Write, email: string): Promise<boolean> =>
  hasRows(trx.selectFrom("accounts").where("email", "=", email));

/** Finds a link with its account, and the account that has the new address, if any. */
async function findLink(read: Read, token: string) {
  if (!isLinkToken(token)) return undefined;
  return read
    .selectFrom("email_changes")
    .innerJoin("accounts", "accounts.id", "email_changes.account_id")
    .leftJoin("accounts as others", "others.email", "email_changes.email")
    .select(["email_changes.id", "email_changes.account_id", "email_changes.email"])
    .select(["expires_at", "confirmed_at", "withdrawn_at"])
    .select(["accounts.email as old_email", "others.id as other_id"])
    .where("token_hash", "=", hashLinkToken(token))
    .executeTakeFirst();
}

/**
 * Locks an account, and then all links to its new address and all invitations to it, always in the same order: of two
 * accounts that want one address, the second finds it taken.
 */
async function lockChange(trx: Write, change: { account_id: string; email: string }): Promise<void> {
  const account = trx.selectFrom("accounts").select("id").where("id", "=", change.account_id);
  await account.forUpdate().execute();
  const links = trx.selectFrom("email_changes").select("id").where("email", "=", change.email).orderBy("id");
  await links.forUpdate().execute();
  const invitations = trx.selectFrom("invitations").select("id").where("email", "=", change.email);
  await invitations.orderBy("id").forUpdate().execute();
}
