import { createSign } from "node:crypto";
import { oauthError } from "./google-errors";
import { verifyClaims, type HostAnswer, type HostRequest, startGoogleHosts } from "./google-hosts";
import { TOKENS } from "./google-oauth";
import { createSelfSignedRsa } from "./self-signed";

const FCM = "fcm.googleapis.com";
const CERTIFICATES = "www.googleapis.com";
const PROJECT_ID = "frontdesk-test";
const KEY_ID = "key-of-this-test";
const HOUR_S = 3600;

/** Makes an error response of FCM as in its reference (REST v1, ErrorCode), with or without an error code. */
export function fcmError(
  status: number,
  canonical: string,
  errorCode?: string,
  { message = "Words of Google", field }: { message?: string; field?: string } = {},
) {
  const details: object[] = [];
  if (errorCode) details.push({ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode });
  if (field) {
    const fieldViolations = [{ field, description: "Invalid value" }];
    details.push({ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations });
  }
  return { status, body: { error: { code: status, message, status: canonical, details } } };
}

/** Generated once: an RSA key takes a tenth of a second. */
let keys: Record<"account" | "signer", { key: string; cert: string }> | undefined;

/**
 * Starts the three Google hosts that push messages need. Access tokens are issued only for the service
 * account's signature, and FCM accepts no others.
 */
export async function startGoogle(deps: { answer?: (token: string) => HostAnswer } = {}) {
  const { account, signer } = (keys ??= {
    account: createSelfSignedRsa("service account"),
    signer: createSelfSignedRsa("securetoken.system.gserviceaccount.com"),
  });
  const address = `push@${PROJECT_ID}.iam.gserviceaccount.com`;
  /** Bodies of the messages. */
  const received: { message: Record<string, unknown> }[] = [];
  const accessTokens = new Set<string>();
  const hosts = await startGoogleHosts([FCM, TOKENS, CERTIFICATES], (request) => {
    if (request.host === TOKENS) return issueAccessToken(new URLSearchParams(request.body));
    return request.host === CERTIFICATES ? certificates(request) : receiveMessage(request);
  });

  /** Issues an access token for a JWT signed by the service account (RFC 7523). */
  function issueAccessToken(form: URLSearchParams): HostAnswer {
    const claims = verifyClaims(form.get("assertion") ?? "", account.cert);
    const isOurs = claims?.iss === address && /oauth2\.googleapis\.com/.test(String(claims.aud));
    if (!isOurs) return oauthError("invalid_grant", "Invalid JWT");
    const token = `access-token-${accessTokens.size + 1}`;
    accessTokens.add(token);
    return { status: 200, body: { access_token: token, expires_in: HOUR_S - 1, token_type: "Bearer" } };
  }

  function certificates({ url }: HostRequest): HostAnswer {
    if (url.pathname !== "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
      return { status: 404 };
    return {
      status: 200,
      headers: { "Cache-Control": "public, max-age=20000, must-revalidate" },
      body: { [KEY_ID]: signer.cert },
    };
  }

  function receiveMessage({ url, headers, body }: HostRequest): HostAnswer {
    if (!accessTokens.has(headers.authorization?.replace(/^Bearer /, "") ?? "")) {
      return fcmError(401, "UNAUTHENTICATED");
    }
    if (url.pathname !== `/v1/projects/${PROJECT_ID}/messages:send`) return fcmError(404, "NOT_FOUND");
    const content = JSON.parse(body) as (typeof received)[number];
    received.push(content);
    const name = `projects/${PROJECT_ID}/messages/${received.length}`;
    return deps.answer?.(String(content.message.token)) ?? { status: 200, body: { name } };
  }

  return {
    ...hosts,
    received,
    credentials: hosts.writeServiceAccount({ projectId: PROJECT_ID, address, key: account.key }),
    projectId: PROJECT_ID,
    /** Makes an ID token as securetoken.googleapis.com does, with overrides. */
    idToken: (different: IdTokenOverrides = {}) => idToken(signer.key, different),
  };
}

export type Google = Awaited<ReturnType<typeof startGoogle>>;

export interface IdTokenOverrides {
  readonly head?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  /** Private key that signs in place of Google's. */
  readonly key?: string;
}

function idToken(googlesKey: string, { head, claims, key = googlesKey }: IdTokenOverrides) {
  const now = Math.floor(Date.now() / 1000);
  const content = [
    { alg: "RS256", kid: KEY_ID, typ: "JWT", ...head },
    {
      iss: `https://securetoken.google.com/${PROJECT_ID}`,
      aud: PROJECT_ID,
      auth_time: now,
      sub: "ada",
      user_id: "ada",
      provider_id: "anonymous",
      iat: now,
      exp: now + HOUR_S,
      firebase: { identities: {}, sign_in_provider: "anonymous" },
      ...claims,
    },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${content}.${createSign("RSA-SHA256").update(content).sign(key, "base64url")}`;
}
