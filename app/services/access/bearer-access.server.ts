import { getBearerToken, problem, retryAfter } from "~/api/problem.server";
import type { ApiTokens } from "~/services/api-tokens/api-tokens.server";
import type { ApiToken, Caller } from "~/services/api-tokens/authentication.server";
import { listGrantableScopes } from "~/services/api-tokens/scopes";
import type { Scope } from "~/services/api-tokens/scopes";

/**
 * RFC 6750, section 3: the challenge names no error when there is no token, and one when the token does not
 * work.
 */
const CHALLENGE = 'Bearer realm="api"';

/**
 * Guards the API: every call uses it on its first line. Cookies are not read, so that no browser acts on behalf
 * of anybody.
 */
export function createBearerAccess(deps: {
  apiTokens: Pick<ApiTokens, "authenticate" | "recordOverreach">;
  originOf: (request: Request) => Caller;
}) {
  const { apiTokens, originOf } = deps;
  return {
    /**
     * Returns the request's token if it has this scope.
     * @throws a 401, 403 or 429 response, as a problem (C11).
     */
    async requireToken(request: Request, scope: Scope): Promise<ApiToken> {
      const caller = originOf(request);
      const outcome = await apiTokens.authenticate(getBearerToken(request), caller);
      if (outcome.ok) {
        const { token } = outcome;
        const isGiven = token.scopes.includes(scope);
        if (isGiven && listGrantableScopes(token.role).includes(scope)) return token;
        await apiTokens.recordOverreach(token, scope, caller);
        const more = challenge(`error="insufficient_scope", scope="${scope}"`);
        throw problem(isGiven ? "superadmin_only" : "insufficient_scope", more);
      }
      switch (outcome.error) {
        case "missing":
          throw problem("missing_token", challenge());
        case "throttled":
          throw problem("too_many_refusals", retryAfter(outcome.retryAfterSeconds));
        case "too-many-calls":
          throw problem("too_many_calls", retryAfter(outcome.retryAfterSeconds));
        default:
          throw problem(`${outcome.error}_token`, challenge('error="invalid_token"'));
      }
    },
  };
}

function challenge(error?: string) {
  return { headers: { "WWW-Authenticate": error ? `${CHALLENGE}, ${error}` : CHALLENGE } };
}
