import { GUARD_PROBLEMS, PROBLEM_TYPE, problemBody, type Problem } from "~/lib/problem";
import { getRequestId } from "~/http/request-context.server";

/** The API's problems by code: the status, and a message for the program's author. */
export const problems = {
  ...GUARD_PROBLEMS,
  missing_token: [401, "Send the API token in the header `Authorization: Bearer fd_...`."],
  unknown_token: [401, "This API token is unknown."],
  expired_token: [401, "This API token has expired."],
  revoked_token: [401, "This API token was revoked."],
  insufficient_scope: [403, "This API token does not have the scope for this call."],
  superadmin_only: [403, "Unauthorized: this call needs a token of a superadmin."],
  too_many_refusals: [429, "Too many calls with invalid tokens came from this network."],
  too_many_calls: [429, "Too many calls with this token. Try again after the seconds in Retry-After."],
  invalid_encoding: [
    400,
    "The body is not valid UTF-8. Send it as UTF-8, or name its character set: application/json; charset=iso-8859-1.",
  ],
  unsupported_charset: [415, "Send the body as UTF-8, ISO-8859-1 or Windows-1252."],
  invalid_json: [400, "The body is not valid JSON."],
  invalid_body: [422, "The body is not valid for this call; `fields` lists the errors."],
  invalid_query: [422, "The query is not valid for this call; `fields` lists the errors."],
  invalid_idempotency_key: [400, "An Idempotency-Key is 1 to 255 printable ASCII characters."],
  idempotency_key_reused: [
    409,
    "This Idempotency-Key was used for a different request in the last 24 hours. Use a new one.",
  ],
  idempotency_key_in_use: [
    409,
    "A call with this Idempotency-Key is in progress. Try again after the seconds in Retry-After.",
  ],
  address_unsubscribed: [409, "This address has unsubscribed, so nothing was sent."],
  address_complained: [409, "This address has complained about an email, so nothing was sent."],
  address_refused: [409, "A mail server rejected this address permanently, so nothing was sent."],
  address_bounced: [409, "An email to this address bounced, so nothing was sent."],
  address_added: [409, "This address is on the suppression list, so nothing was sent."],
  address_imported: [409, "This address is on the suppression list, so nothing was sent."],
  mail_refused: [422, "The mail server rejected this email permanently. `detail` has its response."],
  mail_uncertain: [
    502,
    "The mail server did not answer, so the email may or may not have arrived. `detail` has what is known.",
  ],
  mail_unavailable: [503, "The email could not be sent. Try again after the seconds in Retry-After."],
  mail_unauthorized: [
    502,
    "The mail server does not accept this server's login or sender, so nothing was sent.",
  ],
  tenants_unavailable: [503, "The companies could not be loaded. Try again later."],
  unknown_tenant: [404, "There is no company with this id. Tenant/get-tenant-info lists them."],
  unknown_broadcast: [404, "There is no broadcast with this id."],
  too_many_broadcasts: [
    429,
    "The daily limit of broadcasts is reached. Try again after the seconds in Retry-After.",
  ],
  log_unavailable: [
    503,
    "The platform, whose log this is, did not answer. Try again after the seconds in Retry-After.",
  ],
  not_measured: [503, "The server's resources could not be measured; its log has the reason."],
  redis_absent: [404, "Redis is not configured."],
  meetings_absent: [404, "Meeting metrics are not available."],
  account_exists: [409, "Failed to create user: there is an account with this address."],
  unknown_account: [404, "Failed to reset password: there is no account with this address."],
  account_protected: [403, "Failed to reset password: this account is protected from it."],
  too_many_signups: [429, "Too many signups at once. Try again after the seconds in Retry-After."],
  unknown_visitor: [401, "Sign in again: this ID token is missing, invalid or expired."],
  visitors_unavailable: [503, "Visitors cannot be verified now. Try again after the seconds in Retry-After."],
  foreign_device: [403, "The userId belongs to another visitor."],
  unusable_device: [422, "Send a token of a known push service, and the landing page's appType."],
  too_many_devices: [429, "Too many devices at once. Try again after the seconds in Retry-After."],
  visitors_elsewhere: [404, "Visitors sign in with Firebase, on the page."],
  devices_elsewhere: [404, "The application's backend sends to its devices by itself (PLATFORM_BROADCASTS)."],
  unknown_person: [404, "There is no person with this id."],
  invitations_not_configured: [404, "Nobody is invited from here: INVITE_URL is not configured."],
  unknown_code: [404, "This code is unknown: it is incomplete, or the person was erased."],
  unknown_address: [404, "Nobody here has this address, and nobody was created."],
  invitation_revoked: [409, "This invitation was revoked, or replaced by a newer link."],
  invitation_expired: [409, "This invitation has expired."],
  already_joined: [409, "Another account joined by this code."],
  other_address: [409, "This invitation is good for its own address only, and the account has another one."],
  address_needed: [422, "Send `email` as well: with INVITE_BIND=on a code is good for its own address only."],
  bounces_not_configured: [404, "Bounces are not accepted: BOUNCE_WEBHOOK_SECRET is not configured."],
  wrong_signature: [401, "The signature is missing, wrong, or older than five minutes."],
  invalid_events: [422, "The report is not valid and was not processed; `detail` has the error."],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type ProblemCode = keyof typeof problems;

interface ProblemOptions extends Pick<Problem, "fields" | "detail"> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates an error response of the API: a problem in JSON, whose code identifies the error. */
export function problem(code: ProblemCode, { headers, ...more }: ProblemOptions = {}): Response {
  const [status, title] = problems[code];
  return new Response(problemBody({ code, status, title, requestId: getRequestId(), ...more }), {
    status,
    headers: { "Content-Type": PROBLEM_TYPE, ...headers },
  });
}

export function retryAfter(seconds: number): { headers: Record<string, string> } {
  return { headers: { "Retry-After": String(seconds) } };
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** Returns the token of `Authorization: Bearer` (RFC 6750); undefined without one. */
export function getBearerToken(request: Request): string | undefined {
  return parseBearerToken(request.headers.get("Authorization") ?? "");
}

/** Parses the header's value alone. */
export function parseBearerToken(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}
