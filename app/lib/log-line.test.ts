import { describe, expect, it } from "vitest";
import {
  breakStack,
  LONGEST_LOG_LINE,
  parseLogLine,
  safeLogLine,
  splitLogLine,
  visibleText,
} from "./log-line";

const NOON = Date.UTC(2026, 0, 1, 12);

describe("a line of the form date [LEVEL] message", () => {
  it.each([
    ["2026-01-01T12:00:00.000Z [INFO] hello", NOON, "INFO", "hello"],
    ["2026-01-01 12:00:00 [warn] no zone is UTC", NOON, "WARN", "no zone is UTC"],
    ["2026-01-01 12:00:00,250 [INFO] a comma", NOON + 250, "INFO", "a comma"],
    ["2026-01-01T14:00:00+02:00 [ERROR] elsewhere", NOON, "ERROR", "elsewhere"],
    ["2026-01-01 07:00:00 -0500 [ERROR] elsewhere", NOON, "ERROR", "elsewhere"],
    ["Thu, 01 Jan 2026 12:00:00 GMT [NOTICE] a time of email", NOON, "NOTICE", "a time of email"],
    ["Thu Jan 01 2026 14:00:00 GMT+0200 (Eastern European Time) [INFO] of code", NOON, "INFO", "of code"],
    ["2026/01/01 12:00:00 [INFO] of Go", NOON, "INFO", "of Go"],
    ["01-Jan-2026 12:00:00.250 [INFO] of Tomcat", NOON + 250, "INFO", "of Tomcat"],
    ["Jan 1, 2026 7:00:00 AM EST [INFO] a named zone", NOON, "INFO", "a named zone"],
    ["1 January 2026 12:00:00 [INFO] no zone is UTC", NOON, "INFO", "no zone is UTC"],
    ["Thu Jan 01 07:00:00 EST 2026 [INFO] of Java", NOON, "INFO", "of Java"],
    ["Thu Jan 01 13:00:00 +0100 2026 [INFO] of Ruby", NOON, "INFO", "of Ruby"],
    ["Thu Jan 01 2026 14:00:00 GMT+2 [INFO] a short offset", NOON, "INFO", "a short offset"],
    ["1 Jan 2026 14:00:00 +02 [INFO] a short offset", NOON, "INFO", "a short offset"],
    ["1-Jan-2026 [INFO] no time", Date.UTC(2026, 0, 1), "INFO", "no time"],
    ["2026-01-01 12:00:00 GMT [INFO] elsewhere", NOON, "INFO", "elsewhere"],
    ["2026-01-01 14:00:00 +02 [INFO] elsewhere", NOON, "INFO", "elsewhere"],
    ["2026.01.01, 7:00:00 -05:00 [INFO] elsewhere", NOON, "INFO", "elsewhere"],
    ["2026-01-01 [INFO]", Date.UTC(2026, 0, 1), "INFO", ""],
    ["2026-01-01T12:00:00Z [INFO] x 2026-01-02 [ERROR] forged", NOON, "INFO", "x 2026-01-02 [ERROR] forged"],
  ])("%s", (line, at, level, message) => {
    const date = line.slice(0, line.indexOf(" ["));
    expect(parseLogLine(line)).toEqual({ date, at, level, message });
  });

  it.each([
    "23/11/2026 10:00",
    "05/11/2026 10:00:00",
    "11/05/2026 10:00:00 AM",
    "Nov 29 10:00:00",
    "Nov 29 10:00:00 +0100",
    "worker-3",
    "maybe 4711",
    "pid 4711",
    "2026-13-01T00:00:00Z",
    "1066-10-14",
  ])("keeps a date that is of another form as it stands: %s", (date) => {
    const line = `${date} [INFO] hello`;
    expect(parseLogLine(line)).toEqual({ date, at: undefined, level: "INFO", message: "hello" });
  });

  it.each([
    "",
    "hello",
    "[INFO] no date",
    "yesterday [INFO] no date",
    "2026-01-01 INFO no brackets",
    "2026-01-01 [IN FO] a level of two words",
    `${"x".repeat(100_000)} [INFO] late`,
  ])("is not %.60s", (line) => expect(parseLogLine(line)).toBeUndefined());
});

// C23
describe("a visible text", () => {
  it.each([
    ["x\n2026-01-01 [ERROR] forged\x1b[31m", "x\\n2026-01-01 [ERROR] forged\\x1b[31m"],
    ["a\r\n\tb\0\x7f\x9b", "a\\r\\n\\tb\\x00\\x7f\\x9b"],
    ["\u202egnp.exe\u2028\u2069", "\\u202egnp.exe\\u2028\\u2069"],
    ["half \ud83d of one, all of 🎉", "half \\ud83d of one, all of 🎉"],
    ["Žižek, 東京, a\\b", "Žižek, 東京, a\\b"],
  ])("%j", (text, shown) => expect(visibleText(text)).toBe(shown));

  it("is truncated, with its original length", () => {
    const line = safeLogLine("x".repeat(10_000_000));
    expect(line.length).toBeLessThan(LONGEST_LOG_LINE + 50);
    expect(line).toMatch(/x \.\.\. \(cut, 10,000,000 characters\)$/);
  });
});

it("a stack is broken into its calls, and nowhere else", () => {
  expect(breakStack("Error: no\\n    at call (file.js:1:2)\\nend")).toBe(
    "Error: no\n    at call (file.js:1:2)\\nend",
  );
});

it.each([
  [
    "2026-11-21T12:00:00.000Z [INFO] hello [INFO] again",
    "INFO",
    "2026-11-21T12:00:00.000Z",
    "hello [INFO] again",
  ],
  ["23/11/2026 10:00 [Notice] hello", "NOTICE", "23/11/2026 10:00", "hello"],
  ["2026 ß [WARN]", "WARN", "2026 ß", ""],
  ["of no form [INFO]", "", "", "of no form [INFO]"],
])("%j of level %j is divided into date and message", (line, level, date, message) => {
  expect(splitLogLine({ level, line })).toEqual({ date, message });
});
