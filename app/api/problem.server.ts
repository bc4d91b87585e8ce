import { PROBLEM_TYPE, problemBody } from "~/lib/problem";
import type { Problem } from "~/lib/problem";
import { requestId } from "~/http/request-context.server";
import { problems } from "./problems";
import type { ProblemCode } from "./problems";

interface Particulars extends Pick<Problem, "fields" | "detail"> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal of the API: always a problem in JSON, and the code says what to do about it. */
export function problem(code: ProblemCode, { headers, ...more }: Particulars = {}): Response {
  const [status, title] = problems[code];
  return new Response(problemBody({ code, status, title, requestId: requestId(), ...more }), {
    status,
    headers: { "Content-Type": PROBLEM_TYPE, ...headers },
  });
}

export function retryAfter(seconds: number): { headers: Record<string, string> } {
  return { headers: { "Retry-After": String(seconds) } };
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** What stands behind `Authorization: Bearer` (RFC 6750); undefined when nothing does. */
export function bearerOf(request: Request): string | undefined {
  return bearerIn(request.headers.get("Authorization") ?? "");
}

/** The same of the header alone. */
export function bearerIn(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}
