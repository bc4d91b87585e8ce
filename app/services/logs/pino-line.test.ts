import { pino } from "pino";
import { expect, it } from "vitest";
import { safeLogLine } from "~/lib/log-line";
import { parsePinoLine } from "./pino-line";

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
  const line = parsePinoLine(capture((log) => log[level]("hello")));
  expect(line).toEqual({ at: NOON, level: name, line: `2026-01-01T12:00:00.000Z [${name}] hello` });
});

it("the message comes first, then the fields", () => {
  const fields = { id: "a1", method: "GET", path: "/a b", status: 200, ms: 1.5, aborted: false };
  const { line } = parsePinoLine(capture((log) => log.info(fields, "request")));
  expect(line).toBe(
    '2026-01-01T12:00:00.000Z [INFO] request method=GET path="/a b" status=200 ms=1.5 aborted=false id=a1',
  );
});

it("an error has its stack on the same line", () => {
  const { line } = parsePinoLine(
    capture((log) => log.error({ err: new TypeError("no"), id: "a1" }, "failed")),
  );
  expect(line).toMatch(/\[ERROR\] failed id=a1 error=TypeError: no\\n {4}at .*pino-line\.test\.ts/);
  expect(line).not.toContain("\n");
});

// C23
it("a name cannot create a line or a colour", () => {
  const forged = "x\n2026-01-01 [ERROR] forged\x1b[31m";
  const { level, line } = parsePinoLine(
    capture((log) => log.info({ name: forged, [forged]: 1 }, "signed up")),
  );
  expect(line).toContain('name="x\\n2026-01-01 [ERROR] forged\\x1b[31m"');
  expect(level).toBe("INFO");
  expect(safeLogLine(line)).toBe(line);
});

it("a truncated line keeps its date and level", () => {
  const json = capture((log) => log.warn({ name: "x".repeat(100) }, "long")).slice(0, 90);
  expect(parsePinoLine(json)).toMatchObject({ at: NOON, level: "WARN" });
  expect(parsePinoLine("no JSON at all")).toEqual({ at: undefined, level: "", line: "no JSON at all" });
});
