import { describe, expect, it } from "vitest";
import { toOutcome, listSecrets } from "./smtp-mailer.server";
import type { SmtpError, SmtpProgress } from "./smtp-session.server";

function sort(fields: Partial<SmtpError>, progress: SmtpProgress = "under-way", secrets: string[] = []) {
  const error = Object.assign(new Error("It failed"), fields);
  return toOutcome({ ok: false, error, progress }, secrets);
}

describe("outcomeOf", () => {
  it.each<[string, Partial<SmtpError>, SmtpProgress, object]>([
    ["a wrong login", { code: "EAUTH", responseCode: 535 }, "unanswered", { kind: "unauthorized" }],
    ["a login without a password", { code: "EAUTH" }, "unanswered", { kind: "unauthorized" }],
    [
      "a login server that is away",
      { code: "EAUTH", responseCode: 454 },
      "unanswered",
      { kind: "unreachable" },
    ],
    ["421 to a login", { code: "EAUTH", responseCode: 421 }, "unanswered", { kind: "unreachable" }],
    ["a sender refused", { command: "MAIL FROM", responseCode: 550 }, "under-way", { kind: "unauthorized" }],
    [
      "a sender put off",
      { command: "MAIL FROM", responseCode: 451 },
      "under-way",
      { kind: "deferred", code: 451 },
    ],
    [
      "a login wanted for DATA",
      { command: "DATA", responseCode: 530 },
      "under-way",
      { kind: "unauthorized" },
    ],
    ["DATA refused", { command: "DATA", responseCode: 554 }, "under-way", { kind: "refused", code: 554 }],
    [
      "a message refused",
      { command: "DATA", responseCode: 552 },
      "handed-over",
      { kind: "refused", code: 552 },
    ],
    ["421 to a message", { command: "DATA", responseCode: 421 }, "handed-over", { kind: "unreachable" }],
    ["nonsense to a message", { command: "DATA", responseCode: 354 }, "handed-over", { kind: "unknown" }],
    ["a lost answer", { code: "ECONNECTION", command: "CONN" }, "handed-over", { kind: "unknown" }],
    ["half an answer", { command: "CONN", responseCode: 550 }, "handed-over", { kind: "unknown" }],
    ["a greeting of 554", { command: "CONN", responseCode: 554 }, "unanswered", { kind: "unreachable" }],
    ["a refused EHLO", { command: "HELO", responseCode: 550 }, "unanswered", { kind: "unreachable" }],
    ["TLS that failed", { code: "ETLS", command: "STARTTLS" }, "unanswered", { kind: "unreachable" }],
    ["a refused RSET", { command: "RSET", responseCode: 500 }, "under-way", { kind: "unreachable" }],
  ])("sorts %s", (_what, fields, progress, expected) => {
    expect(sort(fields, progress)).toMatchObject(expected);
  });

  it("says what the server said, or else what failed, on one line of at most 300 characters", () => {
    expect(sort({ response: "550-No\r\n550 such\x00user\u2028" }).detail).toBe("550-No 550 such user");
    expect(sort({}).detail).toBe("It failed");
    expect(sort({ response: "x".repeat(400) }).detail).toHaveLength(300);
  });

  it("repeats neither a password nor its encoded forms, not even where the line is cut", () => {
    const secrets = listSecrets({ user: "me", pass: "s3cret!" });
    const plain = Buffer.from("\0me\0s3cret!").toString("base64");
    expect(sort({ response: `535 s3cret! czNjcmV0IQ== ${plain}` }, "unanswered", secrets).detail).toBe(
      "535 *** *** ***",
    );
    expect(sort({ response: `${"x".repeat(297)}s3cret!` }, "unanswered", secrets).detail).not.toContain(
      "s3c",
    );
  });

  it("has no secrets without a password", () => {
    expect(listSecrets(undefined)).toEqual([]);
    expect(listSecrets({ user: "me", pass: "" })).toEqual([]);
  });
});
