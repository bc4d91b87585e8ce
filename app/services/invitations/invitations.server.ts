import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { countRows, hasRows } from "~/db/rows";
import { days } from "~/lib/durations";
import { emailKey } from "~/lib/email-address";
import { createLinkToken, hashLinkToken, isLinkToken } from "~/lib/link-token.server";
import type { SetTimer } from "~/lib/set-timer";
import { isUuid } from "~/lib/uuid";
import { within } from "~/lib/within";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { PasswordPolicy, PasswordProblem } from "~/services/accounts/password-policy.server";
import { insertAccount, isSuperadmin, type Requester } from "~/services/accounts/user-management.server";
import {
  consumeLinkAttempt,
  countIfGuess,
  type ThrottledLink,
} from "~/services/attempts/link-attempts.server";
import { createAudit, type Caller, type Provenance } from "~/services/audit/audit.server";
import { SEND_TIMEOUT_MS } from "~/services/mail/email-sending";
import type { Email } from "~/services/mail/mailer";
import { getEmailState, toEmailState, type EmailState } from "~/services/mail/transactional/email-state";
import type { TransactionalEmails } from "~/services/mail/transactional/transactional-emails.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { sweepRows } from "~/services/sweep-in-chunks.server";
import { getInvitationState, INVITATION_LIFETIME_MS, type InvitationState } from "./invitation";
import { INVITATION_EMAIL, type InvitationEmail } from "./invitation-email";

/** Pending invitations at a time; the screen shows them all. */
const MAX_PENDING = 100;
/** What guesses at links, and forms of any link, are counted and audited as. */
const LINK_ATTEMPTS = { prefix: "invitation", action: "throttle-invitation" } as const;
/** How long a link that ended still says why. */
const RETENTION_MS = days(30);

/** A link in clear: shown once, never stored. */
export interface IssuedInvitation {
  readonly ok: true;
  readonly email: string;
  readonly fullName: string;
  /** Absolute URL. */
  readonly url: string;
  readonly expiresAt: number;
  readonly delivery: EmailState;
}

/**
 * - unauthorized: the requester is no superadmin (any more).
 * - email-taken: the address has an account. invited: it has a pending invitation.
 * - gone: the invitation was accepted or revoked in the meantime.
 */
type InviteRefusal = { ok: false; error: "unauthorized" | "email-taken" | "invited" | "too-many" };
type ChangeRefusal = { ok: false; error: "unauthorized" | "gone" };

type FoundLink =
  { state: Exclude<InvitationState, "open"> } | { state: "open"; email: string } | ThrottledLink;

type Acceptance =
  | { ok: true }
  | { ok: false; error: PasswordProblem | Exclude<InvitationState, "open"> }
  | { ok: false; error: "throttled"; retryAfterSeconds: number };

interface InvitationsDeps extends ServiceDeps {
  readonly hasher: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  /** Returns `count` bytes of cryptographic randomness. */
  readonly randomBytes: (count: number) => Buffer;
  readonly emails: Pick<TransactionalEmails, "send">;
  readonly sender: Email["from"];
  readonly compose: (parts: InvitationEmail) => Email;
  /** Returns the absolute URL of a link. */
  readonly toUrl: (token: string) => string;
  readonly log: { error(fields: object, message: string): void };
  /** For tests. */
  readonly setTimer?: SetTimer;
}

/** How an invitation goes out: always as a link to copy, and by email where `isEmailed`. */
interface InviteOptions {
  readonly isEmailed: boolean;
}

/** A pending invitation, whose link may have expired. */
export interface ListedInvitation {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  /** Address of an account. */
  readonly invitedBy: string;
  readonly expiresAt: number;
  readonly isExpired: boolean;
  readonly delivery: EmailState;
}

/**
 * Invites colleagues by links of 256 random bits, of which the database stores only the SHA-256. A link works once, for
 * 72 hours; opening it changes nothing, because email scanners open links. Every row is one link: renewing an invitation
 * revokes its link and creates another.
 */
export function createInvitations(deps: InvitationsDeps) {
  const { database, clock, newId, hasher, passwordPolicy, emails } = deps;
  const audit = createAudit(deps);

  return {
    /** Lists the pending invitations, the expired ones included, newest first. */
    list: () => listPending(),

    /** Finds a pending invitation in the form the list shows, or undefined. */
    async find(id: string): Promise<ListedInvitation | undefined> {
      if (!isUuid(id)) return undefined;
      return (await listPending(id))[0];
    },

    /** Invites somebody, who becomes an admin. By email it resolves once the mail server answered, after 30 s at the latest. */
    async invite(
      requester: SignedIn,
      input: { email: string; fullName: string } & InviteOptions,
      origin: Provenance,
    ): Promise<IssuedInvitation | InviteRefusal> {
      const email = emailKey(input.email);
      const { fullName } = input;
      const issued = await database.write(async (trx) => {
        const refusal = await findRefusal(trx, requester, email);
        const link = refusal ? undefined : await insertLink(trx, requester, { email, fullName });
        const outcome = link ? "ok" : "refused";
        const actor = { ...origin, by: requester.email };
        await audit(trx, actor, { action: "invite-colleague", subject: email, outcome });
        return link ?? ({ ok: false, error: refusal ?? "invited" } as const);
      });
      return issued.ok ? send(issued, requester, input) : issued;
    },

    /** Replaces the link of a pending invitation, which stops working, by a new one for 72 hours. */
    async renew(
      requester: SignedIn,
      id: string,
      options: InviteOptions,
      origin: Provenance,
    ): Promise<IssuedInvitation | ChangeRefusal> {
      const issued = await endLink(requester, id, "renew-invitation", origin, async (trx, ended) => {
        const link = await insertLink(trx, requester, { email: ended.email, fullName: ended.full_name });
        return link ?? ({ ok: false, error: "gone" } as const);
      });
      return issued.ok ? send(issued, requester, options) : issued;
    },

    /** Revokes a pending invitation: its link stops working. */
    revoke: (requester: Requester, id: string, origin: Provenance): Promise<{ ok: true } | ChangeRefusal> =>
      endLink(requester, id, "revoke-invitation", origin, () => Promise.resolve({ ok: true } as const)),

    /** Returns the state of a link without changing it. Well-formed links that are unknown count as guesses. */
    async getLink(token: string, caller: Caller): Promise<FoundLink> {
      const found = checkLink(await findLink(database.read, token));
      if (found.state === "open") return { state: "open", email: found.link.email };
      return countIfGuess(deps, LINK_ATTEMPTS, { token, state: found.state }, caller);
    },

    /**
     * Creates the account of an open link, with the password its owner chose; they log in with it afterwards. Of two
     * concurrent calls one succeeds.
     */
    async accept(token: string, password: string, origin: Caller): Promise<Acceptance> {
      const throttled = await consumeLinkAttempt(deps, LINK_ATTEMPTS, origin);
      if (throttled) {
        return { ok: false, error: "throttled", retryAfterSeconds: throttled.retryAfterSeconds };
      }
      const { state } = checkLink(await findLink(database.read, token));
      if (state !== "open") return { ok: false, error: state };
      const problem = passwordPolicy.findProblem(password);
      if (problem) return { ok: false, error: problem };
      const password_hash = await hasher.hash(password);
      return database.write(async (trx): Promise<Acceptance> => {
        const found = checkLink(await findLink(trx, token, { isLocked: true }));
        if (found.state !== "open") return { ok: false, error: found.state };
        const { id, email, full_name } = found.link;
        const own = { password_hash, password_is_temporary: 0, password_expires_at: null } as const;
        const account = await insertAccount(trx, deps, { email, full_name, role: "admin", ...own });
        if (!account) return { ok: false, error: "used" };
        await trx.updateTable("invitations").set({ accepted_at: clock() }).where("id", "=", id).execute();
        await audit(trx, { ...origin, by: email }, { action: "accept-invitation", subject: email });
        return { ok: true };
      });
    },

    /** Deletes the links that ended long ago. */
    sweep: (): Promise<void> =>
      sweepRows(
        database,
        { table: "invitations", key: "id" },
        sql<boolean>`expires_at <= ${clock() - RETENTION_MS}`,
      ),
  };

  async function listPending(id?: string): Promise<ListedInvitation[]> {
    let query = database.read
      .selectFrom("invitations")
      .innerJoin("accounts", "accounts.id", "invitations.invited_by")
      .leftJoin("transactional_emails", (join) =>
        join
          .onRef("transactional_emails.unique_key", "=", "invitations.id")
          .on("transactional_emails.kind", "=", INVITATION_EMAIL.name),
      )
      .select(["invitations.id", "invitations.email", "invitations.full_name"])
      .select(["invitations.expires_at", "accounts.email as inviter"])
      .select(["transactional_emails.state", "transactional_emails.detail"])
      .where("accepted_at", "is", null)
      .where("revoked_at", "is", null)
      .orderBy("invitations.id", "desc")
      .limit(MAX_PENDING);
    if (id !== undefined) query = query.where("invitations.id", "=", id);
    const now = clock();
    return (await query.execute()).map((row) => ({
      id: row.id,
      email: row.email,
      fullName: row.full_name,
      invitedBy: row.inviter,
      expiresAt: row.expires_at,
      isExpired: row.expires_at <= now,
      delivery: getEmailState(row),
    }));
  }

  async function findRefusal(
    trx: Write,
    requester: Requester,
    email: string,
  ): Promise<InviteRefusal["error"] | undefined> {
    if (!(await isSuperadmin(trx, requester))) return "unauthorized";
    if (await hasRows(trx.selectFrom("accounts").where("email", "=", email))) return "email-taken";
    const pending = trx
      .selectFrom("invitations")
      .where("accepted_at", "is", null)
      .where("revoked_at", "is", null);
    return (await countRows(pending)) >= MAX_PENDING ? "too-many" : undefined;
  }

  /** @returns undefined when the address has a pending invitation. */
  async function insertLink(
    trx: Write,
    requester: Requester,
    { email, fullName }: { email: string; fullName: string },
  ) {
    const token = createLinkToken(deps.randomBytes);
    const now = clock();
    const id = newId();
    const expiresAt = now + INVITATION_LIFETIME_MS;
    const row = await trx
      .insertInto("invitations")
      .values({
        id,
        email,
        full_name: fullName,
        token_hash: hashLinkToken(token),
        invited_by: requester.accountId,
        created_at: now,
        expires_at: expiresAt,
        accepted_at: null,
        revoked_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return row && ({ ok: true, id, email, fullName, url: deps.toUrl(token), expiresAt } as const);
  }

  /** Ends a pending link, and does the rest of the change in the same transaction. */
  function endLink<T extends { readonly ok: boolean }>(
    requester: Requester,
    id: string,
    action: "renew-invitation" | "revoke-invitation",
    origin: Provenance,
    work: (trx: Write, ended: { email: string; full_name: string }) => Promise<T>,
  ): Promise<T | ChangeRefusal> {
    const actor = { ...origin, by: requester.email };
    return database.write(async (trx): Promise<T | ChangeRefusal> => {
      const isAllowed = await isSuperadmin(trx, requester);
      if (!isAllowed) {
        await audit(trx, actor, { action, subject: "an unknown address", outcome: "refused" });
        return { ok: false, error: "unauthorized" };
      }
      const ended = await trx
        .updateTable("invitations")
        .set({ revoked_at: clock() })
        .where("id", "=", id)
        .where("accepted_at", "is", null)
        .where("revoked_at", "is", null)
        .returning(["email", "full_name"])
        .executeTakeFirst();
      if (!ended) return { ok: false, error: "gone" };
      await audit(trx, actor, { action, subject: ended.email });
      return work(trx, ended);
    });
  }

  async function send(
    { id, email: address, fullName, url, expiresAt }: NonNullable<Awaited<ReturnType<typeof insertLink>>>,
    inviter: SignedIn,
    { isEmailed }: InviteOptions,
  ): Promise<IssuedInvitation> {
    const issued = { ok: true, email: address, fullName, url, expiresAt } as const;
    if (!isEmailed) return { ...issued, delivery: getEmailState(undefined) };
    const validForMs = INVITATION_LIFETIME_MS;
    const sending = emails.send(
      INVITATION_EMAIL,
      { address, data: { invitation: id } },
      {
        compose: (messageId) =>
          deps.compose({ address, sender: deps.sender, messageId, fullName, inviter, url, validForMs }),
      },
    );
    try {
      const attempt = await within(SEND_TIMEOUT_MS, sending, deps.setTimer);
      return { ...issued, delivery: toEmailState(attempt) };
    } catch (err) {
      // The link works whatever happens to its email, and only this answer can show it.
      deps.log.error({ err }, "the email of an invitation failed");
      return { ...issued, delivery: { kind: "unknown", detail: "" } };
    }
  }

  /** Returns the state of a link; of an open one with its row. */
  function checkLink(link: Awaited<ReturnType<typeof findLink>>) {
    if (!link) return { state: "unknown" } as const;
    const state = getInvitationState(link, link.account_id !== null, clock());
    return state === "open" ? { state, link } : { state };
  }
}

async function findLink(read: Read, token: string, { isLocked = false } = {}) {
  if (!isLinkToken(token)) return undefined;
  return read
    .selectFrom("invitations")
    .leftJoin("accounts", "accounts.email", "invitations.email")
    .select(["invitations.id", "invitations.email", "invitations.full_name", "accounts.id as account_id"])
    .select(["expires_at", "accepted_at", "revoked_at"])
    .where("token_hash", "=", hashLinkToken(token))
    .$if(isLocked, (query) => query.forUpdate("invitations"))
    .executeTakeFirst();
}
