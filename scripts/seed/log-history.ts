import { createHash } from "node:crypto";
import { hours, minutes } from "~/lib/durations";
import { shortenAddress } from "~/lib/network-address";
import { between, pickOne, type Random } from "~/lib/random";
import type { LogLine, LogStore } from "~/services/logs/log-store";
import { parsePinoLine } from "~/services/logs/pino-line";
import { listVisitTimes } from "./past";
import { createAddress } from "./people";

const LOG_DAYS = 6;
/** Half an hour of errors. */
const OUTAGE = { ago: hours(40), lasted: minutes(30) };
const BATCH_SIZE = 2000;

const PATHS = [
  "/",
  "/",
  "/early-access",
  "/updates",
  "/contact",
  "/admin/dashboard",
  "/admin/logs",
  "/login",
];
/** Other log lines: the upper bound of their share, the level and the message. */
const OTHERS = [
  [0.004, 50, "request failed"],
  [0.008, 50, "outreach failed, retrying"],
  [0.02, 40, "the landing page could not be cached"],
  [0.035, 40, "content security policy violated"],
  [0.05, 40, "lost a database connection"],
  [0.1, 20, "unreadable request"],
  [0.13, 30, "outreach works again"],
] as const;

/** Writes `count` lines of some days, most of them in busy hours. */
export async function writeLogHistory(
  store: Pick<LogStore, "append">,
  { random, now, count }: { random: Random; now: number; count: number },
): Promise<void> {
  const began = now - OUTAGE.ago;
  const lines = listVisitTimes(random, now, count, LOG_DAYS).map((at) =>
    createLine(random, at, at >= began && at < began + OUTAGE.lasted),
  );
  for (let at = 0; at < lines.length; at += BATCH_SIZE) await store.append(lines.slice(at, at + BATCH_SIZE));
}

function createLine(random: Random, at: number, isBad: boolean): LogLine {
  const share = random();
  if (share < 0.002)
    return { at: undefined, level: "", line: "(node) Warning: a library spoke here, in a form of its own." };
  const time = new Date(at).toISOString();
  const id = createHash("sha256").update(`${at} ${share}`).digest("hex").slice(0, 12);
  const [, level, msg] = OTHERS.find(([below]) => share < below) ?? [];
  if (msg !== undefined) {
    const err = level === 50 ? { stack: "Error: The connection was closed.\n    at connect" } : undefined;
    return parsePinoLine(JSON.stringify({ level, time, err, id, msg }));
  }
  const status =
    isBad && random() < 0.7 ? 503 : pickOne(random, [200, 200, 200, 200, 200, 303, 303, 404, 422]);
  const line = {
    level: 30,
    time,
    id,
    method: status === 303 ? "POST" : "GET",
    path: pickOne(random, PATHS),
    status,
    ms: between(random, 3, isBad ? 4000 : 400) / 10,
    bytes: between(random, 300, 40_000),
    address: shortenAddress(createAddress(random)),
    aborted: false,
    msg: "request",
  };
  return parsePinoLine(JSON.stringify(line));
}
