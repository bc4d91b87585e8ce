import { sql } from "kysely";
import { hash, timingSafeEqual } from "node:crypto";
import type { Read, Write } from "~/db/database.server";
import { countRows, fetchPage } from "~/db/rows";
import type { AccountsTable, ApiTokensTable } from "~/db/tables/accounts";
import { minutes } from "~/lib/durations";
import type { ListPage, SortOrder } from "~/lib/list-page";
import { getNetwork } from "~/lib/network-address";
import { isUuid } from "~/lib/uuid";
import { consume, getNetworkLimits } from "~/services/attempts/attempts.server";
import type { AuditAction } from "~/services/audit/actions";
import { createAudit, type Caller, type Provenance } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { getTokenState, listGrantableScopes, type Scope, type TokenSort } from "./token";

/** Lets people and secret scanners recognise a leaked token. */
const TOKEN_MARK = "fd_";
const TOKEN = /^fd_[A-Za-z0-9_-]{43}$/;
/** Length of the prefix shown for recognition: 48 of the 256 random bits. */
const PREFIX_LENGTH = TOKEN_MARK.length + 8;
/** Active tokens of one account. */
const MAX_TOKENS = 50;
/** Minimum interval between writes of the last use. */
const TOUCH_MS = minutes(1);
/** Refused tokens from one network, as at the login. A valid token is never rate-limited by invalid ones. */
const PER_NETWORK = { allowed: 50, windowMs: minutes(15) };
/** Calls with one token, whatever their result. */
const PER_TOKEN = { allowed: 600, windowMs: minutes(1) };
/** Repetitions of the same refusal are one audit entry. */
const PER_REFUSAL = { allowed: 1, windowMs: minutes(15) };

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Epoch milliseconds; undefined: never. */
  readonly expiresAt: number | undefined;
}

/** "no-scope", "signed-out": the account was demoted or removed while the token was being created. */
type CreateTokenResult =
  { ok: true; token: string } | { ok: false; error: "no-scope" | "too-many" | "signed-out" };

/** A token that a call was authenticated with, and the account that its actions are attributed to, as it is now. */
export interface ApiToken
  extends Pick<ApiTokensTable, "id" | "name" | "prefix">, Pick<AccountsTable, "email" | "role"> {
  readonly scopes: readonly string[];
  readonly accountId: string;
}

type Authentication =
  | { ok: true; token: ApiToken }
  | { ok: false; error: "missing" | "unknown" | "expired" | "revoked" }
  /** "throttled": too many invalid tokens from its network. "too-many-calls": this valid one, too often. */
  | { ok: false; error: "throttled" | "too-many-calls"; retryAfterSeconds: number };

interface ApiTokensDeps extends ServiceDeps {
  /** Returns `count` bytes of cryptographic randomness. */
  readonly randomBytes: (count: number) => Buffer;
}

/** Tokens are few enough to be sorted without an index. One that never expires has the latest expiry. */
const KEYS = {
  created: undefined,
  name: sql<string>`lower(api_tokens.name)`,
  expires: sql<number>`coalesce(expires_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`,
  used: sql<number>`coalesce(last_used_at, 0)`,
};

/**
 * Manages the tokens with which programs call the API (C11): 256 random bits, of which the database stores only
 * the SHA-256. A token belongs to an account and ends with it. Everybody sees and revokes their own, a
 * superadmin all of them. Refused calls are counted per network and recorded, a flood of them once (C36).
 */
export function createApiTokens(deps: ApiTokensDeps) {
  const { database, clock, newId, randomBytes } = deps;
  const audit = createAudit(deps);

  return {
    /** Creates a token. The result is the only time anybody sees it in clear. */
    async create(operator: SignedIn, input: NewToken, origin: Provenance): Promise<CreateTokenResult> {
      const { name, expiresAt = null } = input;
      const token = TOKEN_MARK + randomBytes(32).toString("base64url");
      const prefix = token.slice(0, PREFIX_LENGTH);
      return database.write(async (trx): Promise<CreateTokenResult> => {
        const now = clock();
        // Locked until the end, so that of two concurrent calls the second one counts the first one's token.
        const account = await trx
          .selectFrom("accounts")
          .select("role")
          .where("id", "=", operator.accountId)
          .forUpdate()
          .executeTakeFirst();
        if (!account) return { ok: false, error: "signed-out" };
        // The session's role may be an earlier one.
        const grantable = listGrantableScopes(account.role);
        const scopes = input.scopes.filter((scope) => grantable.includes(scope));
        if (scopes.length === 0) return { ok: false, error: "no-scope" };
        const active = trx
          .selectFrom("api_tokens")
          .where("account_id", "=", operator.accountId)
          .where("revoked_at", "is", null)
          .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]));
        if ((await countRows(active)) >= MAX_TOKENS) return { ok: false, error: "too-many" };
        await trx
          .insertInto("api_tokens")
          .values({
            id: newId(),
            account_id: operator.accountId,
            account_role: account.role,
            name,
            prefix,
            token_hash: hashToken(token),
            scopes: scopes.join(" "),
            created_at: now,
            expires_at: expiresAt,
          })
          .execute();
        const subject = formatTokenLabel({ name, prefix });
        await audit(trx, { ...origin, by: operator.email }, { action: "create-token", subject });
        return { ok: true, token };
      });
    },

    /** Lists the person's own tokens, or all for a superadmin, newest first unless another order is given. */
    async list(operator: SignedIn, page: ListPage, order?: SortOrder<TokenSort>): Promise<ListedToken[]> {
      const key = order && KEYS[order.sort];
      const rows = await fetchPage(selectVisible(operator), page, {
        id: "api_tokens.id",
        key,
        direction: order?.direction,
      });
      return rows.map((row) => toListedToken(row, operator, clock()));
    },

    /** Returns when any of the tokens that the person sees was last used. */
    async getLastUse(operator: SignedIn): Promise<number | undefined> {
      const { last } = await selectVisible(operator)
        .clearSelect()
        .select(({ fn }) => fn.max("last_used_at").as("last"))
        .executeTakeFirstOrThrow();
      return last ?? undefined;
    },

    /** Finds one token in the form the list shows, or undefined. */
    async find(operator: SignedIn, id: string): Promise<ListedToken | undefined> {
      if (!isUuid(id)) return undefined;
      const row = await selectVisible(operator).where("api_tokens.id", "=", id).executeTakeFirst();
      return row && toListedToken(row, operator, clock());
    },

    /**
     * Revokes a token: its next call is refused.
     * @returns false when the person may not revoke it, or it is already revoked.
     */
    async revoke(operator: SignedIn, id: string, origin: Provenance): Promise<boolean> {
      return database.write(async (trx) => {
        const revoked = await trx
          .updateTable("api_tokens")
          .set({ revoked_at: clock() })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .where((token) =>
            token.or([
              token("account_id", "=", operator.accountId),
              // The role is read here and not taken from the request: a person demoted since then revokes only
              // their own.
              token.exists(
                token
                  .selectFrom("accounts")
                  .select(sql`1`.as("one"))
                  .where("accounts.id", "=", operator.accountId)
                  .where("role", "=", "superadmin"),
              ),
            ]),
          )
          .returning(["name", "prefix"])
          .executeTakeFirst();
        if (!revoked) return false;
        const subject = formatTokenLabel(revoked);
        await audit(trx, { ...origin, by: operator.email }, { action: "revoke-token", subject });
        return true;
      });
    },

    /**
     * Authenticates a bearer token.
     * @param bearer value after `Authorization: Bearer`; undefined without that header.
     */
    async authenticate(bearer: string | undefined, caller: Caller): Promise<Authentication> {
      // A request without a token is no attempt: it is not counted, and crawlers do not fill the audit.
      if (bearer === undefined) return { ok: false, error: "missing" };
      const row = await findByBearer(bearer);
      if (!row) return refuse("unknown", "an unknown token", caller);
      const state = getTokenState(row, clock());
      if (state !== "active") {
        // A demotion revokes the account's tokens.
        const error = state === "expired" ? "expired" : "revoked";
        return refuse(error, `the ${error} token ${formatTokenLabel(row)}`, caller);
      }
      const retryAfterSeconds = await countCall(row, caller);
      if (retryAfterSeconds !== undefined) return { ok: false, error: "too-many-calls", retryAfterSeconds };
      const { id, name, prefix, scopes, account_id: accountId, email, role } = row;
      return { ok: true, token: { id, name, prefix, scopes: scopes.split(" "), accountId, email, role } };
    },

    /** Returns whether a token works, like `authenticate`, but without counting or recording the call. */
    async isActive(bearer: string | undefined): Promise<boolean> {
      const row = bearer === undefined ? undefined : await findByBearer(bearer);
      return row !== undefined && getTokenState(row, clock()) === "active";
    },

    /** Records that a valid token requested something outside its scopes. */
    async recordOverreach(token: ApiToken, scope: Scope, caller: Caller): Promise<void> {
      await database.write(async (trx) => {
        const key = `denied-token:${token.id}:${scope}`;
        if (!(await consume(trx, { [key]: PER_REFUSAL }, clock())).ok) return;
        const subject = `${scope} with ${formatTokenLabel(token)}`;
        await auditRefusal(trx, token.email, "deny-token", subject, caller);
      });
    },
  };

  function selectVisible(operator: SignedIn) {
    return selectTokens(database.read).$if(operator.role !== "superadmin", (query) =>
      query.where("account_id", "=", operator.accountId),
    );
  }

  /** Looks the token up by its public prefix; the rest is compared in constant time (C11). */
  async function findByBearer(bearer: string) {
    if (!TOKEN.test(bearer)) return undefined;
    const rows = await selectTokens(database.read)
      .select("token_hash")
      .where("prefix", "=", bearer.slice(0, PREFIX_LENGTH))
      .execute();
    const wanted = Buffer.from(hashToken(bearer));
    return rows.find((row) => timingSafeEqual(Buffer.from(row.token_hash), wanted));
  }

  /** Counts a call with a valid token. @returns the seconds to wait when that exceeds the limit. */
  async function countCall(row: TokenRow, caller: Caller): Promise<number | undefined> {
    const now = clock();
    return database.write(async (trx) => {
      const calls = await consume(trx, { [`calls-of:${row.id}`]: PER_TOKEN }, now);
      if (!calls.ok && calls.isFirst) {
        await auditRefusal(trx, row.email, "throttle-calls", formatTokenLabel(row), caller);
      }
      // Later than now: the clock was set back.
      const used = row.last_used_at;
      if (used === null || used <= now - TOUCH_MS || used > now) {
        await trx.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", row.id).execute();
      }
      return calls.ok ? undefined : calls.retryAfterSeconds;
    });
  }

  function refuse(error: "unknown" | "expired" | "revoked", subject: string, caller: Caller) {
    const network = getNetwork(caller.address);
    return database.write(async (trx): Promise<Authentication> => {
      const attempt = await consume(trx, getNetworkLimits("token", caller.address, PER_NETWORK), clock());
      if (!attempt.ok) {
        if (attempt.isFirst) await auditRefusal(trx, "visitor", "throttle-token", "", caller);
        return { ok: false, error: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
      }
      const key = `denied-token:${network}:${subject}`;
      const isNew = (await consume(trx, { [key]: PER_REFUSAL }, clock())).ok;
      if (isNew) await auditRefusal(trx, "visitor", "deny-token", subject, caller);
      return { ok: false, error };
    });
  }

  function auditRefusal(trx: Write, by: string, action: AuditAction, subject: string, origin: Provenance) {
    return audit(trx, { ...origin, by }, { action, subject, outcome: "refused" });
  }
}

function selectTokens(read: Read) {
  return read
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
    .select(["api_tokens.id", "account_id", "account_role", "name", "prefix", "scopes"])
    .select(["api_tokens.created_at", "expires_at", "last_used_at", "revoked_at"])
    .select(["accounts.email", "accounts.role"]);
}

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>["execute"]>>[number];

export type ListedToken = ReturnType<typeof toListedToken>;

function toListedToken(row: TokenRow, operator: SignedIn, now: number) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    // As stored: a newer version of this program may have added scopes.
    scopes: row.scopes.split(" "),
    createdBy: row.email,
    isOwn: row.account_id === operator.accountId,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    state: getTokenState(row, now),
  };
}

/** Formats a token for the audit: "Newsletter (fd_Ab3dE5gH...)". */
export function formatTokenLabel({ name, prefix }: { name: string; prefix: string }): string {
  return `${name} (${prefix}...)`;
}

/** Plain SHA-256: 256 random bits need no salt and no slow hash, because they cannot be guessed. */
const hashToken = (token: string) => hash("sha256", token);
