import { getLogger, getRequestOrigin } from "~/http/request-context.server";
import { UpstreamError } from "~/lib/upstream-error";
import type { ApiToken } from "~/services/api-tokens/api-tokens.server";
import { listGrantableScopes, type Scope } from "~/services/api-tokens/token";
import { apiTokens, bounces, visitorIdentity } from "~/services/container.server";
import type { CallGuard } from "./call.server";
import { getBearerToken, problem, retryAfter } from "./problem.server";

const TOKEN_REFUSALS = [
  "missing_token",
  "unknown_token",
  "expired_token",
  "revoked_token",
  "insufficient_scope",
  "too_many_refusals",
  "too_many_calls",
] as const;

/**
 * Requires an API token with this scope (C11); some scopes need a superadmin's token. Cookies are not read, so that
 * no browser acts on behalf of anybody.
 */
export const withToken = (scope: Scope): CallGuard<ApiToken> => ({
  security: { scheme: "token", scopes: [scope] },
  refusals: listGrantableScopes("admin").includes(scope)
    ? TOKEN_REFUSALS
    : [...TOKEN_REFUSALS, "superadmin_only"],
  async check(request) {
    const caller = getRequestOrigin(request);
    const outcome = await apiTokens.authenticate(getBearerToken(request), caller);
    if (outcome.ok) {
      const { token } = outcome;
      const isGiven = token.scopes.includes(scope);
      if (isGiven && listGrantableScopes(token.role).includes(scope)) return token;
      await apiTokens.recordOverreach(token, scope, caller);
      const detail = challenge(`error="insufficient_scope", scope="${scope}"`);
      throw problem(isGiven ? "superadmin_only" : "insufficient_scope", detail);
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
});

/** Creates the challenge of RFC 6750, section 3, which names an error only when a token was sent. */
function challenge(error?: string) {
  const realm = 'Bearer realm="api"';
  return { headers: { "WWW-Authenticate": error ? `${realm}, ${error}` : realm } };
}

/** Requires a visitor's ID token; resolves with the visitor's id. */
export const withVisitor: CallGuard<string> = {
  security: { scheme: "visitor", scopes: [] },
  refusals: ["unknown_visitor", "visitors_unavailable"],
  async check(request) {
    const uid = await visitorIdentity.verify(getBearerToken(request) ?? "").catch(refuseUnavailable);
    if (uid === undefined) throw problem("unknown_visitor", { headers: { "WWW-Authenticate": "Bearer" } });
    // Only a right token shows that the service was asked: a malformed one is refused without it.
    reportIdentity(undefined);
    return uid;
  },
};

/** @throws a 503 problem while the service that signs visitors in is away. */
function refuseUnavailable(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  reportIdentity(error);
  throw problem("visitors_unavailable", retryAfter(60));
}

let isIdentityAway = false;

/** Logs the beginning and the end of an outage, and not each request in it: anybody may send them (hardening C51). */
function reportIdentity(err: UpstreamError | undefined): void {
  const isAway = err !== undefined;
  if (isAway === isIdentityAway) return;
  isIdentityAway = isAway;
  const logger = getLogger();
  if (err) logger.error({ err }, "visitors who register devices cannot be verified");
  else logger.info("visitors who register devices are verified again");
}

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
