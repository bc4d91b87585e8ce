/** An error response under /api (RFC 9457; docs/api.md), of the guard or the application. */
export interface Problem {
  /** For programs to rely on. */
  readonly code: string;
  readonly status: number;
  /** The same sentence for all problems of this code. */
  readonly title: string;
  /** The request's id, also sent as X-Request-Id. */
  readonly requestId: string;
  /** The error of each invalid field of the body or the query; that of `body` where the body is no object. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Details of this occurrence, such as another server's message. */
  readonly detail?: string;
}

export const PROBLEM_TYPE = "application/problem+json";

/** `message` repeats the title: the specification (section 7) has accounts answer with a status and a message. */
export function problemBody({ code, status, title, requestId, ...more }: Problem): string {
  const type = `/api/openapi.json#/x-problems/${code}`;
  const instance = `urn:uuid:${requestId}`;
  return JSON.stringify({ type, title, message: title, status, instance, code, ...more });
}

/** The guard's refusals under /api, by code (docs/api.md); some of them are the application's too. */
export const GUARD_PROBLEMS = {
  bad_request: [400, "This request is not valid HTTP for this server."],
  cross_origin: [
    403,
    "This came from a browser on another site, or with a cookie and no token. Call from a program, without cookies.",
  ],
  not_found: [404, "There is nothing at this address. Check its spelling."],
  method_not_allowed: [
    405,
    "This address does not support that method. The Allow header lists the supported ones.",
  ],
  length_required: [411, "Send the body with a Content-Length header."],
  body_too_large: [413, "The body is larger or has more values than this call accepts."],
  unsupported_media_type: [415, "Send the body as application/json."],
  expectation_failed: [417, "Send the request without its Expect header."],
  wrong_host: [421, "This server does not answer for that name."],
  internal_error: [
    500,
    "Something went wrong. The X-Request-Id header identifies this call in the server's log.",
  ],
  busy: [503, "The server is overloaded. Try again after the seconds in Retry-After."],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;
