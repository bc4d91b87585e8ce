import { expect } from "vitest";

/** Expects a refusal of the API: a documented problem, with nothing of a page. */
export async function expectRefused(
  answer: Response,
  status: number,
  code: string,
  challenge: string | null,
) {
  expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([status, challenge]);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/problem\+json\b/);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual([]);
  const problem = (await answer.json()) as { title?: string };
  expect(problem).toMatchObject({
    type: `/api/openapi.json#/x-problems/${code}`,
    status,
    code,
    title: expect.stringMatching(/^[A-Z].+\.$/),
    // The specification's name for it.
    message: problem.title,
    instance: `urn:uuid:${answer.headers.get("X-Request-Id")}`,
  });
}
