import { GUARD_PROBLEMS, PROBLEM_TYPE, problemBody } from "../../app/lib/problem.ts";
import type { PlainResponse } from "./plain-response.ts";

export const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

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
