import { describe, expect, test } from "vitest";
import { createRateLimit, readViolation } from "./csp-report.ts";

const old = (report: object) => JSON.stringify({ "csp-report": report });

describe("a report is reduced to three facts", () => {
  test.each([
    [
      "the form of report-uri",
      old({
        "violated-directive": "img-src 'self'",
        "blocked-uri": "https://e.example/x?y",
        "document-uri": "https://d/a?b",
      }),
      { directive: "img-src", blocked: "https://e.example", path: "/a" },
    ],
    [
      "the form of report-to",
      JSON.stringify([
        {
          type: "csp-violation",
          body: { effectiveDirective: "script-src-elem", blockedURL: "inline", documentURL: "https://d/b?c" },
        },
      ]),
      { directive: "script-src-elem", blocked: "inline", path: "/b" },
    ],
    [
      "an embedded address",
      old({
        "effective-directive": "img-src",
        "blocked-uri": "data:image/png;base64,secret",
        "document-uri": "https://d/unsubscribe/secret",
      }),
      { directive: "img-src", blocked: "data:", path: "/unsubscribe/:token" },
    ],
    [
      "a forged report",
      old({ "effective-directive": "\nforged", "blocked-uri": { a: 1 }, "document-uri": "x".repeat(9000) }),
      { directive: "unknown", blocked: "unknown", path: "unknown" },
    ],
  ])("%s", (_, body, expected) => expect(readViolation(body)).toEqual(expected));

  test.each(["", "null", "[]", "{}", '{"csp-report":1}', "[1]", '[{"type":"deprecation","body":{}}]', "{"])(
    "%j is none",
    (body) => expect(readViolation(body)).toBeUndefined(),
  );
});

test("reports beyond sixty a minute are dropped, until the next minute", () => {
  let now = 0;
  const mayReport = createRateLimit(60, 60_000, () => now);
  expect(Array.from({ length: 61 }, mayReport)).toEqual([...Array(60).fill(true), false]);
  now = 59_999;
  expect(mayReport()).toBe(false);
  now = 60_000;
  expect(mayReport()).toBe(true);
});
