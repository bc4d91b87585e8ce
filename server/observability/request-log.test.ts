import type { IncomingMessage } from "node:http";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { RequestLog } from "./request-log.ts";

const toRequest = (path: string, isPassedOn: boolean) => ({
  request: { url: path } as IncomingMessage,
  requestId: "id",
  clientAddress: "203.0.113.7",
  verdict: { pathname: path, path },
  path,
  isPassedOn,
});

function setUp(level = "info") {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { level, base: undefined, timestamp: false },
    { write: (text) => void lines.push(JSON.parse(text)) },
  );
  let endSecond: (() => void) | undefined;
  const log = new RequestLog(logger, (run) => (endSecond = run));
  const write = (times: number, path: string, status: number | undefined, byGuard: boolean) => {
    for (let time = 0; time < times; time += 1) {
      const ended = { method: "GET", status, ms: 0.5, bytes: 100, aborted: false };
      log.write(toRequest(path, !byGuard), ended);
    }
  };
  return { lines, write, endSecond: () => endSecond?.() };
}

describe("the request log", () => {
  it("has a line for each request, with its level", () => {
    const { lines, write } = setUp("debug");
    write(1, "/", 200, true);
    write(1, "/static/assets/a.js", 200, true);
    write(1, "/admin", 302, false);
    expect(lines.map(({ level, status, msg }) => [level, status, msg])).toEqual([
      [30, 200, "request"],
      [20, 200, "request"],
      [30, 302, "request"],
    ]);
  });

  it("counts responses of the guard beyond a hundred in a second", () => {
    const { lines, write, endSecond } = setUp();
    write(100, "/", 304, true);
    write(7, "/", 304, true);
    write(2, "/", undefined, true);
    expect(lines).toHaveLength(100);
    endSecond();
    const msg = "more requests in the same second, answered by the guard itself";
    expect(lines.slice(100)).toEqual([
      { level: 30, count: 9, bytes: 900, statuses: { 304: 7, none: 2 }, msg },
    ]);
    write(1, "/", 200, true);
    expect(lines).toHaveLength(102);
    endSecond();
    expect(lines).toHaveLength(102);
  });

  it("has a line for every response of the application", () => {
    const { lines, write } = setUp();
    write(150, "/", 503, true);
    write(150, "/contact", 303, false);
    expect(lines).toHaveLength(250);
  });

  it("does not count lines below its level", () => {
    const { lines, write, endSecond } = setUp();
    write(200, "/healthz", 200, true);
    endSecond();
    write(1, "/", 200, true);
    expect(lines).toHaveLength(1);
  });
});
