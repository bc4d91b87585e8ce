import { hours, minutes } from "~/lib/durations";
import { between, pickOne, type Random } from "~/lib/random";
import { formatPinoLine } from "~/services/logs/pino-line";
import { createHash } from "node:crypto";
import type { LogStore } from "~/services/logs/log-store";
import { createAddress } from "./people";
import { shortenAddress } from "~/lib/network-address";
import { getHourlyTraffic } from "./past";

/** The length of the seeded log. */
const HOURS = 24 * 6;
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

/** Writes a log of some days with lines in every hour, most of them in busy hours. */
export async function writeLogHistory(
  store: Pick<LogStore, "append">,
  { random, now, factor }: { random: Random; now: number; factor: number },
): Promise<void> {
  const begin = now - (now % hours(1)) - hours(HOURS - 1);
  const lines: { at: number; text: string }[] = [];
  for (let hour = begin; hour < now; hour += hours(1)) {
    const count = Math.round(
      getHourlyTraffic(new Date(hour).getUTCHours()) * 5 * factor * (0.7 + random() * 0.6),
    );
    // Half an hour of errors.
    const isBad = hour === begin + hours(HOURS - 40);
    for (let line = 0; line < count + (isBad ? 60 : 0); line++) {
      const at = hour + between(random, 0, isBad ? minutes(30) : hours(1) - 1);
      if (at < now - minutes(1)) lines.push({ at, text: formatLine(random, at, isBad) });
    }
  }
  const ordered = lines.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
  for (let at = 0; at < ordered.length; at += BATCH_SIZE)
    await store.append(ordered.slice(at, at + BATCH_SIZE));
}

function formatLine(random: Random, at: number, isBad: boolean): string {
  const share = random();
  if (share < 0.002) return "(node) Warning: a library spoke here, in a form of its own.";
  const time = new Date(at).toISOString();
  const id = createHash("sha256").update(`${at} ${share}`).digest("hex").slice(0, 12);
  const [, level, msg] = OTHERS.find(([below]) => share < below) ?? [];
  if (msg !== undefined) {
    const err = {
      type: "Error",
      message: "The connection was closed.",
      stack: "Error: The connection was closed.\n    at connect",
    };
    return formatPinoLine(JSON.stringify({ level, time, ...(level === 50 ? { err } : {}), id, msg }));
  }
  const status =
    isBad && random() < 0.7 ? 503 : pickOne(random, [200, 200, 200, 200, 200, 303, 303, 404, 422]);
  const address = shortenAddress(createAddress(random));
  const [path, ms] = [pickOne(random, PATHS), between(random, 3, isBad ? 4000 : 400) / 10];
  const bytes = between(random, 300, 40_000);
  const line = {
    level: 30,
    time,
    id,
    method: status === 303 ? "POST" : "GET",
    path,
    status,
    ms,
    bytes,
    address,
  };
  return formatPinoLine(JSON.stringify({ ...line, aborted: false, msg: "request" }));
}
