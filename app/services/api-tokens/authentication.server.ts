import type { Database } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { minutes } from "~/lib/durations";
import { limitKey } from "~/lib/network-address";
import { consume } from "~/services/attempts/attempts.server";
import type { AuditEntry, Provenance } from "~/services/audit/audit.server";
import { recordAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { Scope } from "./scopes";
import { getTokenState } from "./token-life";
import { matchesHash, looksLikeToken, getTokenPrefix, formatTokenLabel } from "./token-secret.server";

/** Minimum interval between writes of the last use. */
const TOUCH_MS = minutes(1);
/** Refused tokens from one network, as at the login. A valid token is never rate-limited by invalid ones. */
const PER_NETWORK = { allowed: 50, windowMs: minutes(15) };
/** Calls with one token, whatever their result. */
const PER_TOKEN = { allowed: 600, windowMs: minutes(1) };
/** Repetitions of the same refusal are one audit entry. */
const PER_REFUSAL = { allowed: 1, windowMs: minutes(15) };

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly accountId: string;
  /** Address of the account that the token's actions are attributed to. */
  readonly email: string;
  /** The account's current role. */
  readonly role: AccountsTable["role"];
}

export interface Caller extends Provenance {
  /** Full address, which rate limits count by. */
  readonly address: string;
}

type Authentication =
  | { ok: true; token: ApiToken }
  | { ok: false; error: "missing" | "unknown" | "expired" | "revoked" }
  /**
   * "throttled": too many invalid tokens from its network. "too-many-calls": this valid token was used too
   * often.
   */
  | { ok: false; error: "throttled" | "too-many-calls"; retryAfterSeconds: number };

/** Authenticates callers of the API. Refusals are counted per network and recorded, a flood of them once (C36). */
export function createAuthentication(deps: { database: Database; clock: Clock; newId: NewId }) {
  const { database, clock, newId } = deps;

  return {
    /**
     * Authenticates a bearer token.
     * @param bearer value after `Authorization: Bearer`; undefined without that header.
     */
    async authenticate(bearer: string | undefined, caller: Caller): Promise<Authentication> {
      // A request without a token is no attempt: it is not counted, and crawlers do not fill the audit.
      if (bearer === undefined) return { ok: false, error: "missing" };
      const row = await find(bearer);
      if (!row) return refuse("unknown", "an unknown token", caller);
      const state = getTokenState(row, row, clock());
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

    /**
     * Returns whether a token works, without counting or recording the call.
     * @param bearer as for `authenticate`.
     */
    async isActive(bearer: string | undefined): Promise<boolean> {
      const row = bearer === undefined ? undefined : await find(bearer);
      return row !== undefined && getTokenState(row, row, clock()) === "active";
    },

    /** Records that a valid token requested something outside its scopes. */
    async recordOverreach(token: ApiToken, scope: Scope, caller: Caller): Promise<void> {
      const now = clock();
      await database.write(async (trx) => {
        const key = `denied-token:${token.id}:${scope}`;
        if (!(await consume(trx, { [key]: PER_REFUSAL }, now)).ok) return;
        const subject = `${scope} with ${formatTokenLabel(token)}`;
        await recordAudit(trx, entry({ actor: token.email, action: "deny-token", subject }, caller, now));
      });
    },
  };

  /** Looks the token up by its public prefix; the rest is compared in constant time. */
  async function find(bearer: string) {
    if (!looksLikeToken(bearer)) return undefined;
    const rows = await database.read
      .selectFrom("api_tokens")
      .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
      .select(["api_tokens.id", "account_id", "account_role", "name", "prefix", "token_hash", "scopes"])
      .select(["expires_at", "last_used_at", "revoked_at", "accounts.email", "accounts.role"])
      .where("prefix", "=", getTokenPrefix(bearer))
      .execute();
    return rows.find((row) => matchesHash(row.token_hash, bearer));
  }

  /** Counts a call with a valid token. @returns the seconds to wait when that exceeds the limit. */
  async function countCall(
    row: { id: string; name: string; prefix: string; email: string; last_used_at: number | null },
    caller: Caller,
  ): Promise<number | undefined> {
    const now = clock();
    return database.write(async (trx) => {
      const calls = await consume(trx, { [`calls-of:${row.id}`]: PER_TOKEN }, now);
      if (!calls.ok && calls.isFirst) {
        const throttled = {
          actor: row.email,
          action: "throttle-calls",
          subject: formatTokenLabel(row),
        } as const;
        await recordAudit(trx, entry(throttled, caller, now));
      }
      const used = row.last_used_at;
      if (used === null || used <= now - TOUCH_MS || used > now) {
        await trx.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", row.id).execute();
      }
      return calls.ok ? undefined : calls.retryAfterSeconds;
    });
  }

  async function refuse(
    error: "unknown" | "expired" | "revoked",
    subject: string,
    caller: Caller,
  ): Promise<Authentication> {
    const now = clock();
    const network = limitKey(caller.address);
    return database.write(async (trx): Promise<Authentication> => {
      const tries = await consume(trx, { [`token:${network}`]: PER_NETWORK }, now);
      if (!tries.ok) {
        if (tries.isFirst) {
          const throttled = { actor: "visitor", action: "throttle-token", subject: "" } as const;
          await recordAudit(trx, entry(throttled, caller, now));
        }
        return { ok: false, error: "throttled", retryAfterSeconds: tries.retryAfterSeconds };
      }
      const isNews = await consume(trx, { [`denied-token:${network}:${subject}`]: PER_REFUSAL }, now);
      if (isNews.ok) {
        await recordAudit(trx, entry({ actor: "visitor", action: "deny-token", subject }, caller, now));
      }
      return { ok: false, error };
    });
  }

  function entry(what: Omit<AuditEntry, "outcome">, { network, requestId }: Provenance, at: number) {
    return { id: newId(), at, ...what, outcome: "refused" as const, network, requestId };
  }
}
