import { pino } from "pino";
import { expect, it } from "vitest";
import { parseLogLine, safeLogLine } from "~/lib/log-line";
import { formatPinoLine } from "./pino-line";

const NOON = Date.UTC(2026, 0, 1, 12);

/** Returns the line that the server's own logger writes. */
function capture(write: (log: pino.Logger) => void): string {
  let text = "";
  const options = {
    base: undefined,
    level: "trace",
    timestamp: () => `,"time":"${new Date(NOON).toISOString()}"`,
  };
  write(pino(options, { write: (line: string) => (text += line) }));
  return text.trimEnd();
}

it.each([
  ["trace", "TRACE"],
  ["debug", "DEBUG"],
  ["info", "INFO"],
  ["warn", "WARN"],
  ["error", "ERROR"],
  ["fatal", "ERROR"],
] as const)("a line of the level %s is one of %s", (level, name) => {
  const line = formatPinoLine(capture((log) => log[level]("hello")));
  expect(line).toBe(`2026-01-01T12:00:00.000Z [${name}] hello`);
  expect(parseLogLine(line)).toMatchObject({ at: NOON, level: name, message: "hello" });
});

it("the message comes first, then the fields", () => {
  const fields = { id: "a1", method: "GET", path: "/a b", status: 200, ms: 1.5, aborted: false };
  const line = formatPinoLine(capture((log) => log.info(fields, "request")));
  expect(line).toBe(
    '2026-01-01T12:00:00.000Z [INFO] request method=GET path="/a b" status=200 ms=1.5 aborted=false id=a1',
  );
});

it("an error has its stack on the same line", () => {
  const line = safeLogLine(
    formatPinoLine(capture((log) => log.error({ err: new TypeError("no"), id: "a1" }, "failed"))),
  );
  expect(line).toMatch(/\[ERROR\] failed id=a1 error=TypeError: no\\n {4}at .*pino-line\.test\.ts/);
  expect(line).not.toContain("\n");
});

it("a name cannot create a line or a colour (C23)", () => {
  const forged = "x\n2026-01-01 [ERROR] forged\x1b[31m";
  const line = formatPinoLine(capture((log) => log.info({ name: forged, [forged]: 1 }, "signed up")));
  expect(line).toContain('name="x\\n2026-01-01 [ERROR] forged\\x1b[31m"');
  expect(parseLogLine(line)?.level).toBe("INFO");
  expect(safeLogLine(line)).toBe(line);
});

it("a truncated line keeps its date and level", () => {
  const json = capture((log) => log.warn({ name: "x".repeat(100) }, "long")).slice(0, 90);
  expect(parseLogLine(formatPinoLine(json))).toMatchObject({ at: NOON, level: "WARN" });
  expect(formatPinoLine("no JSON at all")).toBe("no JSON at all");
});
