import type { ApiToken } from "~/services/api-tokens/authentication.server";
import { listGrantableScopes } from "~/services/api-tokens/scopes";
import type { Scope } from "~/services/api-tokens/scopes";
import { bearerAccess, bounces, visitorIdentity } from "~/services/container.server";
import type { CallGuard } from "./call.server";
import { getBearerToken, problem } from "./problem.server";

const TOKEN_REFUSALS = [
  "missing_token",
  "unknown_token",
  "expired_token",
  "revoked_token",
  "insufficient_scope",
  "too_many_refusals",
  "too_many_calls",
] as const;

/** Requires an API token with this scope; some scopes need a superadmin's token. */
export const withToken = (scope: Scope): CallGuard<ApiToken> => ({
  security: { scheme: "token", scopes: [scope] },
  refusals: listGrantableScopes("admin").includes(scope)
    ? TOKEN_REFUSALS
    : [...TOKEN_REFUSALS, "superadmin_only"],
  check: (request) => bearerAccess.requireToken(request, scope),
});

/** Requires a visitor's ID token; resolves with the visitor's id. */
export const withVisitor: CallGuard<string> = {
  security: { scheme: "visitor", scopes: [] },
  refusals: ["unknown_visitor"],
  async check(request) {
    const uid = await visitorIdentity.verify(getBearerToken(request) ?? "");
    if (uid !== undefined) return uid;
    throw problem("unknown_visitor", { headers: { "WWW-Authenticate": "Bearer" } });
  },
};

/** Requires a signature over the body, which `receive` has yet to verify. */
export const withSignature: CallGuard<NonNullable<typeof bounces>> = {
  security: { scheme: "signature", scopes: [] },
  refusals: ["bounces_not_configured", "wrong_signature"],
  async check() {
    if (!bounces) throw problem("bounces_not_configured");
    return bounces;
  },
};

export const publicAccess: CallGuard<undefined> = {
  security: undefined,
  refusals: [],
  check: async () => undefined,
};
