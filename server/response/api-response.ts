import { PROBLEM_TYPE, problemBody } from "../../app/lib/problem.ts";
import type { PlainResponse } from "./plain-response.ts";

export const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

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

const byStatus = new Map<number, { code: string; title: string }>(
  Object.entries(GUARD_PROBLEMS).map(([code, [status, title]]) => [status, { code, title }]),
);

/** Turns a refusal under /api into a problem in JSON; any other response stays as it is. */
export function toApiProblem(answer: PlainResponse, path: string, requestId: string): PlainResponse {
  const { status } = answer;
  const problem = isApi(path) && answer.message !== "" ? byStatus.get(status) : undefined;
  if (!problem) return answer;
  return { ...answer, message: problemBody({ ...problem, status, requestId }), contentType: PROBLEM_TYPE };
}
