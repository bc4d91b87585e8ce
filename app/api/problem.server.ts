import { PROBLEM_TYPE, problemBody, type Problem } from "~/lib/problem";
import { getRequestId } from "~/http/request-context.server";
import { problems, type ProblemCode } from "./problems";

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
