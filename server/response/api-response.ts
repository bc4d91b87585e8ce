import { PROBLEM_TYPE, problemBody } from "../../app/lib/problem.ts";
import type { PlainResponse } from "./plain-response.ts";

export const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/** The guard's refusals under /api, by status (docs/api.md). */
export const GUARD_PROBLEMS: Readonly<Record<number, readonly [code: string, title: string]>> = {
  400: ["bad_request", "This request is not valid HTTP for this server."],
  403: [
    "cross_origin",
    "This came from a browser on another site, or with a cookie and no token. Call from a program, without cookies.",
  ],
  404: ["not_found", "There is nothing at this address. Check its spelling."],
  405: [
    "method_not_allowed",
    "This address does not support that method. The Allow header lists the supported ones.",
  ],
  411: ["length_required", "Send the body with a Content-Length header."],
  413: ["body_too_large", "The body is larger or has more values than this call accepts."],
  415: ["unsupported_media_type", "Send the body as application/json."],
  417: ["expectation_failed", "Send the request without its Expect header."],
  421: ["wrong_host", "This server does not answer for that name."],
  500: [
    "internal_error",
    "Something went wrong. The X-Request-Id header identifies this call in the server's log.",
  ],
  503: ["busy", "The server is overloaded. Try again after the seconds in Retry-After."],
};

/** Turns a refusal under /api into a problem in JSON; any other response stays as it is. */
export function toApiProblem(answer: PlainResponse, path: string, requestId: string): PlainResponse {
  if (!isApi(path)) return answer;
  const { status } = answer;
  const [code, title] = GUARD_PROBLEMS[status] ?? [];
  if (code === undefined || title === undefined || answer.message === "") return answer;
  return { ...answer, message: problemBody({ code, status, title, requestId }), contentType: PROBLEM_TYPE };
}
