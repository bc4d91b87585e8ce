/** An error response under /api (RFC 9457; docs/api.md), of the guard or the application. */
export interface Problem {
  /** For programs to rely on. */
  readonly code: string;
  readonly status: number;
  /** The same sentence for all problems of this code. */
  readonly title: string;
  /** The request's id, also sent as X-Request-Id. */
  readonly requestId: string;
  /** The error of each invalid field of the body or the query. */
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
