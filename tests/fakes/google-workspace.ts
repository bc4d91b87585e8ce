import { gmailError, googleError } from "./google-errors";
import { type HostAnswer, type HostRequest, startGoogleHosts } from "./google-hosts";
import { createOAuth, PROJECT_NUMBER, SEND, SPREADSHEETS, TOKEN_URL, TOKENS } from "./google-oauth";
import { handleSheetsRequest, type SharedSpreadsheet } from "./google-spreadsheets";
import { createSelfSignedRsa } from "./self-signed";
import type { Tab } from "./spreadsheet-grid";

export const SHEETS = "sheets.googleapis.com";
export const GMAIL = "gmail.googleapis.com";
const CONSENT = "accounts.google.com";
const PROJECT_ID = "frontdesk-test";
const MINUTE = 60_000;
/** Requests a minute for each account and kind. */
const QUOTA = 60;

/** Failure of the next request of a kind: not applied, or applied (`appliedThen`) with another response. */
export type RequestFailure = HostAnswer | { readonly appliedThen: HostAnswer };

let keys: { key: string; cert: string } | undefined;

/**
 * Starts Google's token endpoint, consent page, Sheets v4 and Gmail v1, as far as the product uses them, under
 * their own names. Access tokens are issued for a signed assertion, a refresh token or a code; a spreadsheet is
 * open to those it is shared with; a sheet has as many rows as its grid; requests have a quota a minute.
 */
export async function startWorkspace({ now = Date.now } = {}) {
  const { key, cert } = (keys ??= createSelfSignedRsa("workspace account"));
  const apiKey = `AIzaSy${"k".repeat(33)}`;

  const spreadsheets = new Map<string, SharedSpreadsheet>();
  const emails: { who: string; raw: string }[] = [];
  const failures: { kind: "read" | "write" | "send"; failure: RequestFailure }[] = [];
  const used: { at: number; kind: string; who: string }[] = [];
  const { findGrant, consent, token, revoke, ...oauth } = createOAuth(cert);
  const { robot, operator, client } = oauth;
  const state = Object.assign(oauth.state, { enabled: new Set([SHEETS, GMAIL]) });

  const hosts = await startGoogleHosts([SHEETS, GMAIL, TOKENS, CONSENT], (request) => {
    if (request.host === CONSENT) return consent(request.url);
    if (request.host === TOKENS) {
      return request.url.pathname === "/revoke"
        ? revoke(request.url)
        : token(new URLSearchParams(request.body));
    }
    return request.host === SHEETS ? sheets(request) : gmail(request);
  });

  /** Returns the account that sent the request, or the error response. */
  function authenticate({ headers, host }: HostRequest, scope: string): string | HostAnswer {
    const keyGiven = headers["x-goog-api-key"];
    if (keyGiven === apiKey) return "anybody";
    if (keyGiven !== undefined) {
      const message = "API key not valid. Please pass a valid API key.";
      return googleError(400, "INVALID_ARGUMENT", message, "API_KEY_INVALID");
    }
    const grant = findGrant(headers.authorization);
    if (!grant) {
      const message = "Request had invalid authentication credentials.";
      return googleError(401, "UNAUTHENTICATED", message, "ACCESS_TOKEN_INVALID");
    }
    if (!state.enabled.has(host)) {
      const message = `This API has not been used in project ${PROJECT_NUMBER} before or it is disabled.`;
      const consumer = `projects/${PROJECT_NUMBER}`;
      return googleError(403, "PERMISSION_DENIED", message, "SERVICE_DISABLED", { consumer });
    }
    if (!grant.scopes.includes(scope)) {
      const message = "Request had insufficient authentication scopes.";
      return googleError(403, "PERMISSION_DENIED", message, "ACCESS_TOKEN_SCOPE_INSUFFICIENT");
    }
    return grant.who;
  }

  /** Returns the error response when the quota is used up. */
  function checkQuota(who: string, kind: "read" | "write"): HostAnswer | undefined {
    const at = now();
    const recent = used.filter((each) => each.who === who && each.kind === kind && at - each.at < MINUTE);
    if (recent.length < QUOTA) return void used.push({ at, kind, who });
    const name = kind === "write" ? "Write requests" : "Read requests";
    const message = `Quota exceeded for quota metric '${name}' and limit '${name} per minute per user' of service '${SHEETS}' for consumer 'project_number:${PROJECT_NUMBER}'.`;
    return googleError(429, "RESOURCE_EXHAUSTED", message, "RATE_LIMIT_EXCEEDED");
  }

  /** Handles a request, unless a failure is queued for its kind. */
  function handleUnlessFailing(kind: "read" | "write" | "send", work: () => HostAnswer): HostAnswer {
    const at = failures.findIndex((each) => each.kind === kind);
    const [next] = at === -1 ? [] : failures.splice(at, 1);
    if (!next) return work();
    if (typeof next.failure === "string" || !("appliedThen" in next.failure)) return next.failure;
    work();
    return next.failure.appliedThen;
  }

  function sheets(request: HostRequest): HostAnswer {
    const who = authenticate(request, SPREADSHEETS);
    if (typeof who !== "string") return who;
    const kind = request.method === "GET" ? "read" : "write";
    return (
      checkQuota(who, kind) ??
      handleUnlessFailing(kind, () => handleSheetsRequest(spreadsheets, request, who))
    );
  }

  function gmail(request: HostRequest): HostAnswer {
    const who = authenticate(request, SEND);
    if (typeof who !== "string") return who;
    if (request.method !== "POST" || request.url.pathname !== "/gmail/v1/users/me/messages/send") {
      return { status: 404, body: "<html>Not found</html>" };
    }
    return handleUnlessFailing("send", () => {
      const raw = Buffer.from((JSON.parse(request.body) as { raw: string }).raw, "base64url").toString();
      const unfolded = raw.replace(/\r\n[ \t]/g, " ");
      if (!/^To: .*\S@\S/m.test(unfolded))
        return gmailError(400, "invalidArgument", "Recipient address required");
      emails.push({ who, raw });
      const id = `18f${emails.length}`;
      return { status: 200, body: { id, threadId: id, labelIds: ["SENT"] } };
    });
  }

  return {
    ...hosts,
    ...oauth,
    apiKey,
    emails,
    state,
    /** Key file of the service account (GOOGLE_APPLICATION_CREDENTIALS). */
    credentials: hosts.writeServiceAccount({ projectId: PROJECT_ID, address: robot, key }),
    /** The JSON of the desktop client (GOOGLE_OAUTH_CLIENT). */
    oauthClient: hosts.writeFile(
      "client.json",
      JSON.stringify({
        installed: {
          client_id: client.id,
          client_secret: client.secret,
          project_id: PROJECT_ID,
          auth_uri: `https://${CONSENT}/o/oauth2/auth`,
          token_uri: TOKEN_URL,
          redirect_uris: ["http://localhost"],
        },
      }),
    ),
    /** Adds a spreadsheet, shared with its editors. */
    spreadsheet(id: string, tabs: Tab[], { editors = [robot, operator], isPublic = false } = {}) {
      spreadsheets.set(id, { tabs, editors: new Set(editors), isPublic });
    },
    /** Opens the consent page as the operator's browser does; returns the address it redirects to. */
    visit(address: URL): string {
      const answer = consent(address);
      const location = typeof answer === "string" ? undefined : answer.headers?.Location;
      if (location === undefined) throw new Error("The page of consent leads nowhere");
      return location;
    },
    failNext: (kind: "read" | "write" | "send", failure: RequestFailure) =>
      void failures.push({ kind, failure }),
  };
}

export type Workspace = Awaited<ReturnType<typeof startWorkspace>>;
