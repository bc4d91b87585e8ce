/** What a refusal under /api says, the same wherever it is made (RFC 9457); docs/api.md is for those who read it. */
export interface Problem {
  /** For programs to rely on. */
  readonly code: string;
  readonly status: number;
  /** The same sentence for all problems of this code. */
  readonly title: string;
  /** Of the request; X-Request-Id has it too. */
  readonly requestId: string;
  /** What is wrong with which field of the body or the query. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What is known of this one alone, such as another server's words. */
  readonly detail?: string;
}

export const PROBLEM_TYPE = "application/problem+json";

/** Where the document of the API says what a code means. */
const problemType = (code: string): string => `/api/openapi.json#/x-problems/${code}`;

/** `message` is the title once more: the specification (section 7) has accounts answer with a status and a message. */
export function problemBody({ code, status, title, requestId, ...more }: Problem): string {
  const instance = `urn:uuid:${requestId}`;
  return JSON.stringify({ type: problemType(code), title, message: title, status, instance, code, ...more });
}
