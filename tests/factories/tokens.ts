import { randomBytes } from "node:crypto";
import type { Database } from "~/db/database.server";
import { createApiTokens, type ApiToken, type NewToken } from "~/services/api-tokens/api-tokens.server";
import { newId } from "~/services/service-deps";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { insertAccount } from "./accounts";
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

    async person(name: string, role: SignedIn["role"] = "admin"): Promise<SignedIn> {
      const email = `${name}@example.com`;
      const accountId = await insertAccount(database, { email, role });
      const session = {
        sessionHandle: "h",
        passwordIsTemporary: false,
        hasSecondFactor: false,
        timeZone: "UTC",
        hasChosenTimeZone: false,
      };
      return { ...session, accountId, email, fullName: name, role };
    },

    /** Creates a token; resolves with it in plain text. */
    async make(who: SignedIn, fields: Partial<NewToken> = {}): Promise<string> {
      const wanted = { name: "Newsletter", scopes: ["email:send"] as const, expiresAt: undefined, ...fields };
      const made = await tokens.create(who, wanted, caller);
      if (!made.ok) throw new Error(made.error);
      return made.token;
    },
  };
}
