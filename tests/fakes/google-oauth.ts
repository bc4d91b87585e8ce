import { createHash, randomUUID } from "node:crypto";
import { oauthError } from "./google-errors";
import { verifyClaims, type HostAnswer } from "./google-hosts";

export const TOKENS = "oauth2.googleapis.com";
export const TOKEN_URL = `https://${TOKENS}/token`;
export const SPREADSHEETS = "https://www.googleapis.com/auth/spreadsheets";
export const SEND = "https://www.googleapis.com/auth/gmail.send";
export const PROJECT_NUMBER = "123456789012";
const HOUR_S = 3600;

interface Grant {
  readonly who: string;
  readonly scopes: readonly string[];
}

/**
 * Creates Google's token endpoint and consent page. It issues access tokens for a signed assertion, a refresh
 * token or a code.
 * @param cert certificate of the service account's key.
 */
export function createOAuth(cert: string) {
  const robot = "mirror@frontdesk-test.iam.gserviceaccount.com";
  const operator = "operator@example.test";
  const client = {
    id: `${PROJECT_NUMBER}-abc.apps.googleusercontent.com`,
    secret: "GOCSPX-secret-of-the-client",
  };
  /** Scopes the service account may use, by the user it acts for. */
  const delegations = new Map<string, readonly string[]>();
  const state = {
    /** Milliseconds by which Google's clock is ahead. */
    aheadMs: 0,
    /** Returns the scopes the operator grants on the consent page; undefined when they decline. */
    consents: (scopes: readonly string[]): readonly string[] | undefined => scopes,
  };
  const accessTokens = new Map<string, Grant & { refresh?: string }>();
  const refreshTokens = new Map<string, Grant>();
  const codes = new Map<
    string,
    Grant & { redirectUri: string; challenge: string | null; isOffline: boolean }
  >();

  return {
    robot,
    operator,
    client,
    delegations,
    state,
    refreshTokens,
    /** Finds the account and the scopes of a request's access token. */
    findGrant: (authorization = "") => accessTokens.get(authorization.replace(/^Bearer /, "")),
    issueRefreshToken,
    consent,
    token,
    revoke,
  };

  /** Issues a refresh token, as if the operator had logged in. */
  function issueRefreshToken(scopes: readonly string[] = [SPREADSHEETS, SEND]) {
    const refresh = `1//${randomUUID()}`;
    refreshTokens.set(refresh, { who: operator, scopes });
    return refresh;
  }

  function issueAccessToken(grant: Grant, refresh?: string) {
    const access = `ya29.${randomUUID()}`;
    accessTokens.set(access, { ...grant, ...(refresh && { refresh }) });
    return {
      access_token: access,
      expires_in: HOUR_S - 1,
      token_type: "Bearer",
      scope: grant.scopes.join(" "),
    };
  }

  function token(form: URLSearchParams): HostAnswer {
    const grantType = form.get("grant_type");
    if (grantType === "urn:ietf:params:oauth:grant-type:jwt-bearer")
      return exchangeAssertion(form.get("assertion") ?? "");
    if (form.get("client_id") !== client.id || form.get("client_secret") !== client.secret) {
      return oauthError("invalid_client", "The OAuth client was not found.", 401);
    }
    if (grantType === "refresh_token") {
      const refresh = form.get("refresh_token") ?? "";
      const grant = refreshTokens.get(refresh);
      if (!grant) return oauthError("invalid_grant", "Token has been expired or revoked.");
      return { status: 200, body: issueAccessToken(grant, refresh) };
    }
    const code = form.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    if (grantType !== "authorization_code" || !grant)
      return oauthError("invalid_grant", "Malformed auth code.");
    if (form.get("redirect_uri") !== grant.redirectUri) {
      return oauthError("redirect_uri_mismatch", "Bad Request");
    }
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant.challenge !== null && proof !== grant.challenge) {
      return oauthError("invalid_grant", "Invalid code verifier.");
    }
    const refresh = `1//${randomUUID()}`;
    if (grant.isOffline) refreshTokens.set(refresh, grant);
    return {
      status: 200,
      body: { ...issueAccessToken(grant, refresh), ...(grant.isOffline && { refresh_token: refresh }) },
    };
  }

  /** Issues a token for an assertion (RFC 7523), with Google's additional checks. */
  function exchangeAssertion(assertion: string): HostAnswer {
    const claims = verifyClaims(assertion, cert);
    if (!claims || claims.aud !== TOKEN_URL) return oauthError("invalid_grant", "Invalid JWT Signature.");
    if (claims.iss !== robot) return oauthError("invalid_grant", "Invalid grant: account not found");
    const iat = Number(claims.iat);
    const at = (Date.now() + state.aheadMs) / 1000;
    if (Number(claims.exp) - iat > HOUR_S || Math.abs(at - iat) > 300) {
      return oauthError(
        "invalid_grant",
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.",
      );
    }
    const scopes = String(claims.scope ?? "").split(" ");
    if (![SPREADSHEETS, SEND].includes(scopes.join(" "))) {
      return oauthError("invalid_scope", "Invalid OAuth scope or ID token audience provided.");
    }
    if (claims.sub === undefined) return { status: 200, body: issueAccessToken({ who: robot, scopes }) };
    const subject = String(claims.sub);
    const delegated = delegations.get(subject);
    if (!delegated) return oauthError("invalid_grant", "Invalid email or User ID");
    if (!scopes.every((scope) => delegated.includes(scope))) {
      return oauthError(
        "unauthorized_client",
        "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
        401,
      );
    }
    return { status: 200, body: issueAccessToken({ who: subject, scopes }) };
  }

  /** Responds to the operator's browser as the consent page does once it is confirmed. */
  function consent({ pathname, searchParams }: URL): HostAnswer {
    const redirectUri = searchParams.get("redirect_uri") ?? "";
    const isOurs =
      pathname === "/o/oauth2/v2/auth" &&
      searchParams.get("client_id") === client.id &&
      searchParams.get("response_type") === "code" &&
      new URL(redirectUri).hostname === "localhost";
    if (!isOurs) return { status: 400, body: "<h1>Error 400: redirect_uri_mismatch</h1>" };
    const scopes = state.consents((searchParams.get("scope") ?? "").split(" "));
    const target = new URL(redirectUri);
    const returnedState = searchParams.get("state");
    if (returnedState !== null) target.searchParams.set("state", returnedState);
    if (scopes) {
      const code = `4/0${randomUUID()}`;
      const challenge = searchParams.get("code_challenge");
      const isOffline = searchParams.get("access_type") === "offline";
      codes.set(code, { who: operator, scopes, redirectUri, challenge, isOffline });
      target.searchParams.set("code", code);
      target.searchParams.set("scope", scopes.join(" "));
    } else target.searchParams.set("error", "access_denied");
    return { status: 302, headers: { Location: target.href } };
  }

  function revoke({ searchParams }: URL): HostAnswer {
    const token = searchParams.get("token") ?? "";
    const isKnown = refreshTokens.delete(token) || accessTokens.delete(token);
    for (const [access, { refresh }] of accessTokens) if (refresh === token) accessTokens.delete(access);
    return isKnown ? { status: 200 } : oauthError("invalid_token", "Token expired or revoked");
  }
}
