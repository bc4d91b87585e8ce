import { sql } from "kysely";
import type { Database, Read, Write } from "~/db/database.server";
import { isUuid } from "~/lib/uuid";
import { createAudit } from "~/services/audit/audit.server";
import type { Provenance } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { createAuthentication } from "./authentication.server";
import type { Scope } from "./scopes";
import { getTokenState } from "./token-life";
import type { TokenState } from "./token-life";
import { createTokenSecret, formatTokenLabel } from "./token-secret.server";

/** Active tokens of one account. */
const MAX_TOKENS = 50;

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Epoch milliseconds; undefined: never. */
  readonly expiresAt: number | undefined;
}

/** "signed-out": the account was removed while the token was being created. */
type CreateTokenResult =
  | { ok: true; token: string; name: string; expiresAt: number | undefined }
  | { ok: false; error: "too-many" | "signed-out" };

type RevokeTokenResult = { ok: true } | { ok: false; error: "unknown-token" };

export type ApiTokens = ReturnType<typeof createApiTokens>;

/**
 * Manages the tokens with which programs call the API (C11): 256 random bits, of which the database stores only
 * the SHA-256. A token belongs to an account and ends with it. Everybody sees and revokes their own, a
 * superadmin all of them.
 */
export function createApiTokens(deps: {
  database: Database;
  clock: Clock;
  newId: NewId;
  randomBytes: (count: number) => Buffer;
}) {
  const { database, clock, newId, randomBytes } = deps;

  return {
    ...createAuthentication(deps),

    /** Creates a token. The result is the only time anybody sees it in clear. */
    async create(who: SignedIn, input: NewToken, origin: Provenance): Promise<CreateTokenResult> {
      const { token, prefix, hash } = createTokenSecret(randomBytes);
      return database.write(async (trx): Promise<CreateTokenResult> => {
        const now = clock();
        // Locked until the end, so that of two concurrent calls the second one counts the first one's token.
        const account = await trx
          .selectFrom("accounts")
          .select("role")
          .where("id", "=", who.accountId)
          .$if(database.dialect === "postgres", (query) => query.forUpdate())
          .executeTakeFirst();
        if (!account) return { ok: false, error: "signed-out" };
        if ((await countLive(trx, who.accountId, now)) >= MAX_TOKENS) return { ok: false, error: "too-many" };
        await trx
          .insertInto("api_tokens")
          .values({
            id: newId(),
            account_id: who.accountId,
            account_role: account.role,
            name: input.name,
            prefix,
            token_hash: hash,
            scopes: input.scopes.join(" "),
            created_at: now,
            expires_at: input.expiresAt ?? null,
            last_used_at: null,
            revoked_at: null,
          })
          .execute();
        await audit(trx, who, "create-token", formatTokenLabel({ name: input.name, prefix }), origin);
        return { ok: true, token, name: input.name, expiresAt: input.expiresAt };
      });
    },

    /**
     * Lists the person's own tokens, or all for a superadmin, newest first; `before` is the id of the last one
     * on the previous page.
     */
    list: (who: SignedIn, page: { before?: string | undefined; limit: number }) =>
      listTokens(database.read, page, { who, now: clock() }),

    /** Finds one token in the form the list shows, or undefined. */
    find: (who: SignedIn, id: string) => findToken(database.read, id, { who, now: clock() }),

    /**
     * Revokes a token: its next call is refused. A token that the person may not revoke, or that is already
     * revoked, is unknown.
     */
    async revoke(who: SignedIn, id: string, origin: Provenance): Promise<RevokeTokenResult> {
      return database.write(async (trx): Promise<RevokeTokenResult> => {
        const revoked = await trx
          .updateTable("api_tokens")
          .set({ revoked_at: clock() })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .where((token) =>
            token.or([
              token("account_id", "=", who.accountId),
              // The role is read here and not taken from the request: a person demoted since then revokes only
              // their own.
              token.exists(
                token
                  .selectFrom("accounts")
                  .select(sql`1`.as("one"))
                  .where("accounts.id", "=", who.accountId)
                  .where("role", "=", "superadmin"),
              ),
            ]),
          )
          .returning(["name", "prefix"])
          .executeTakeFirst();
        if (!revoked) return { ok: false, error: "unknown-token" };
        await audit(trx, who, "revoke-token", formatTokenLabel(revoked), origin);
        return { ok: true };
      });
    },
  };

  function audit(
    trx: Write,
    who: SignedIn,
    action: "create-token" | "revoke-token",
    subject: string,
    origin: Provenance,
  ) {
    return createAudit(deps)(trx, { ...origin, by: who.email }, { action, subject });
  }
}

async function countLive(trx: Write, accountId: string, now: number): Promise<number> {
  const { count } = await trx
    .selectFrom("api_tokens")
    .select((db) => db.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((token) => token.or([token("expires_at", "is", null), token("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return count;
}

export interface ListedToken {
  readonly id: string;
  readonly name: string;
  /** First characters of the token. */
  readonly prefix: string;
  /** As stored: a newer version of this program may have added scopes. */
  readonly scopes: readonly string[];
  readonly madeBy: string;
  readonly isOwn: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Rounded to the minute. */
  readonly lastUsedAt: number | null;
  readonly state: TokenState;
}

interface View {
  readonly who: SignedIn;
  readonly now: number;
}

async function listTokens(
  read: Read,
  { before, limit }: { before?: string | undefined; limit: number },
  view: View,
): Promise<ListedToken[]> {
  const rows = await visible(read, view)
    .$if(before !== undefined && isUuid(before), (query) => query.where("api_tokens.id", "<", before ?? ""))
    .orderBy("api_tokens.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => listed(row, view));
}

async function findToken(read: Read, id: string, view: View): Promise<ListedToken | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await visible(read, view).where("api_tokens.id", "=", id).executeTakeFirst();
  return row && listed(row, view);
}

function visible(read: Read, { who }: View) {
  return read
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
    .select(["api_tokens.id", "account_id", "account_role", "name", "prefix", "scopes"])
    .select(["api_tokens.created_at", "expires_at", "last_used_at", "revoked_at"])
    .select(["accounts.email", "accounts.role"])
    .$if(who.role !== "superadmin", (query) => query.where("account_id", "=", who.accountId));
}

type Row = Awaited<ReturnType<ReturnType<typeof visible>["execute"]>>[number];

function listed(row: Row, { who, now }: View): ListedToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes.split(" "),
    madeBy: row.email,
    isOwn: row.account_id === who.accountId,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    state: getTokenState(row, row, now),
  };
}
