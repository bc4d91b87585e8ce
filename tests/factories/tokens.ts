import { randomBytes } from "node:crypto";
import type { Database } from "~/db/database.server";
import type { AccountsTable } from "~/db/tables/accounts";
import { createApiTokens } from "~/services/api-tokens/api-tokens.server";
import type { NewToken } from "~/services/api-tokens/api-tokens.server";
import type { ApiToken } from "~/services/api-tokens/authentication.server";
import { newId } from "~/services/ids.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { createTestClock } from "./time";

export const caller = { address: "203.0.113.9", network: "203.0.113.0", requestId: "r1" };

/** Makes an API token as an authenticated request holds it. */
export const toApiToken = (id: string, scopes: readonly string[] = ["email:send"]): ApiToken => ({
  id,
  name: "News",
  prefix: "fd_12345678",
  scopes,
  accountId: "a",
  email: "grace@example.com",
  role: "admin",
});

/** Creates API tokens on a database, with a clock the test moves and accounts that create tokens. */
export function createTestTokens(database: Database) {
  const clock = createTestClock();
  const tokens = createApiTokens({ database, clock, newId, randomBytes });

  return {
    clock,
    tokens,

    async person(name: string, role: AccountsTable["role"] = "admin"): Promise<SignedIn> {
      const email = `${name}@example.com`;
      const id = newId();
      await database.write((trx) =>
        trx
          .insertInto("accounts")
          .values({
            id,
            email,
            full_name: name,
            role,
            password_hash: "x",
            password_is_temporary: 0,
            password_expires_at: null,
            created_at: 1,
            last_login_at: null,
          })
          .execute(),
      );
      const session = { sessionHandle: "h", passwordIsTemporary: false, hasSecondFactor: false };
      return { ...session, accountId: id, email, fullName: name, role };
    },

    /** Creates a token; resolves with it in plain text. */
    async make(who: SignedIn, given: Partial<NewToken> = {}): Promise<string> {
      const wanted = { name: "Newsletter", scopes: ["email:send"] as const, expiresAt: undefined, ...given };
      const made = await tokens.create(who, wanted, caller);
      if (!made.ok) throw new Error(made.error);
      return made.token;
    },
  };
}
