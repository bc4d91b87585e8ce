import { describe, expect, it } from "vitest";
import { listSecrets, toOutcome } from "./smtp-mailer.server";
import type { SmtpError, SmtpProgress } from "./smtp-session.server";

const RCPT = { command: "RCPT TO" };
const DATA = { command: "DATA" };

function classify(fields: Partial<SmtpError>, progress: SmtpProgress = "under-way", secrets: string[] = []) {
  const error = Object.assign(new Error("It failed"), fields);
  return toOutcome({ ok: false, error, progress }, secrets);
}

describe("toOutcome", () => {
  it.each<[string, Partial<SmtpError>, SmtpProgress, object]>([
    ["a login without a password", { code: "EAUTH" }, "unanswered", { kind: "unauthorized" }],
    ["454 to a login", { code: "EAUTH", responseCode: 454 }, "unanswered", { kind: "unreachable" }],
    ["421 to a login", { code: "EAUTH", responseCode: 421 }, "unanswered", { kind: "unreachable" }],
    ["550 to MAIL FROM", { command: "MAIL FROM", responseCode: 550 }, "under-way", { kind: "unauthorized" }],
    ["451 to MAIL FROM", { command: "MAIL FROM", responseCode: 451 }, "under-way", { kind: "deferred" }],
    ["450 to RCPT TO", { ...RCPT, responseCode: 450 }, "under-way", { kind: "deferred", code: 450 }],
    // R41
    ["550 to RCPT TO", { ...RCPT, responseCode: 550 }, "under-way", { kind: "refused", part: "recipient" }],
    ["550 to a message", { ...DATA, responseCode: 550 }, "handed-over", { kind: "refused", part: "message" }],
    ["452 to RCPT TO", { ...RCPT, responseCode: 452 }, "under-way", { kind: "deferred", code: 452 }],
    ["530 to DATA", { ...DATA, responseCode: 530 }, "under-way", { kind: "unauthorized" }],
    ["554 to DATA", { ...DATA, responseCode: 554 }, "under-way", { kind: "refused", code: 554 }],
    ["354 to a message", { ...DATA, responseCode: 354 }, "handed-over", { kind: "unknown" }],
    ["half a response", { command: "CONN", responseCode: 550 }, "handed-over", { kind: "unknown" }],
    ["a greeting of 554", { command: "CONN", responseCode: 554 }, "unanswered", { kind: "unreachable" }],
    ["550 to EHLO", { command: "HELO", responseCode: 550 }, "unanswered", { kind: "unreachable" }],
    ["500 to RSET", { command: "RSET", responseCode: 500 }, "under-way", { kind: "unreachable" }],
  ])("maps %s", (_, fields, progress, expected) => {
    expect(classify(fields, progress)).toMatchObject(expected);
  });

  it("has the response or the error on one short line", () => {
    expect(classify({ response: "550-No\r\n550 such\x00user\u2028" }).detail).toBe("550-No 550 such user");
    expect(classify({}).detail).toBe("It failed");
    expect(classify({ response: "x".repeat(400) }).detail).toHaveLength(300);
  });

  it("masks a password and its encoded forms, also where the line is cut", () => {
    const secrets = listSecrets({ user: "me", pass: "s3cret!" });
    const plain = Buffer.from("\0me\0s3cret!").toString("base64");
    expect(classify({ response: `535 s3cret! czNjcmV0IQ== ${plain}` }, "unanswered", secrets).detail).toBe(
      "535 *** *** ***",
    );
    expect(classify({ response: `${"x".repeat(297)}s3cret!` }, "unanswered", secrets).detail).not.toContain(
      "s3c",
    );
  });

  it("has no secrets to mask without a password", () => {
    expect(listSecrets(undefined)).toEqual([]);
    expect(listSecrets({ user: "me", pass: "" })).toEqual([]);
  });
});
