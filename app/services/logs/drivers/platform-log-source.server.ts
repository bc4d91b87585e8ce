import { setImmediate as yieldToLoop } from "node:timers/promises";
import { z } from "zod";
import type { Database, Write } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { LONGEST_LOG_LINE, parseLogLine, safeLogLine } from "~/lib/log-line";
import { maskBeginning } from "~/lib/mask-secrets";
import { mebibytes } from "~/lib/sizes";
import { startOfHour } from "~/lib/utc-day";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import { getHour, toSearchTerms, toLowerAscii } from "../log-store";
import type { LogCount, LogFilter, LogPage, LogPlace, LogSource, StoredLine } from "../log-store";

/** Lifetime of the copy: a page of System Logs makes several calls. */
const CACHE_MS = seconds(5);
const MAX_BYTES = mebibytes(50);
/** Maximum number of lines kept, the newest ones. */
const MAX_LINES = 200_000;
/** Lines processed per turn of the event loop: some 10 ms. */
const BATCH_SIZE = 5_000;

const replySchema = z.array(z.string());

/**
 * Reads the log of the application's backend, which returns all of it or nothing: a copy is cached for seconds
 * and searched in memory. A line's id is its position in the response, oldest first, so that it is stable as
 * long as nothing is deleted there.
 */
export class PlatformLogSource implements LogSource {
  readonly #client: PlatformClient;
  readonly #write: Database["write"];
  readonly #elapsed: () => number;
  #cache: { readonly lines: Promise<readonly StoredLine[]>; readonly until: number } | undefined;

  constructor(deps: { client: PlatformClient; write: Database["write"]; elapsed?: () => number }) {
    this.#client = deps.client;
    this.#write = deps.write;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
  }

  async page(filter: LogFilter, { past, limit, order = "newest", maxSearched }: LogPlace): Promise<LogPage> {
    const all = await this.#lines();
    const matches = createMatcher(filter);
    const [by, start] = order === "newest" ? [-1, all.length - 1] : [1, 0];
    const lines: StoredLine[] = [];
    let scanned = 0;
    for (let at = past === undefined ? start : getPlace(all, past) + by; ; at += by) {
      const line = all[at];
      if (!line) return { lines, next: undefined, scanned };
      const isMatch = matches(line);
      if (scanned === maxSearched || (isMatch && lines.length === limit)) {
        return { lines, next: line.id - by, scanned };
      }
      if (isMatch) lines.push(line);
      scanned += 1;
      if (scanned % BATCH_SIZE === 0) await yieldToLoop();
    }
  }

  async around(id: number, each: number): Promise<readonly StoredLine[] | undefined> {
    const all = await this.#lines();
    const at = getPlace(all, id);
    return all[at] ? all.slice(Math.max(0, at - each), at + each + 1) : undefined;
  }

  async counts(time: Pick<LogFilter, "from" | "until">): Promise<LogCount[]> {
    const lines = await this.#lines();
    return countByLevel(lines.filter((line) => isWithinHours(getHour(line), time)));
  }

  async hours({ level, ...time }: Omit<LogFilter, "search">): Promise<(LogCount & { hour: number })[]> {
    const lines = (await this.#lines()).filter(
      (line) => line.level !== "" && (level === undefined || line.level === level),
    );
    return [...Map.groupBy(lines, getHour)]
      .filter(([hour]) => isWithinHours(hour, time))
      .sort(([a], [b]) => a - b)
      .flatMap(([hour, ofHour]) => countByLevel(ofHour).map((count) => ({ hour, ...count })));
  }

  async outOfReach(): Promise<number> {
    const [oldest] = await this.#lines();
    return oldest ? oldest.id - 1 : 0;
  }

  async deleteAll(record: (trx: Write, lines: number) => Promise<void>): Promise<void> {
    this.#cache = undefined;
    const lines = await this.#lines();
    const path = "/api/logger/delete-logs";
    await this.#client.send({ operation: "delete the log", method: "DELETE", path });
    this.#cache = undefined;
    // The last id is the number of lines, including those out of reach.
    await this.#write((trx) => record(trx, lines.at(-1)?.id ?? 0));
  }

  #lines(): Promise<readonly StoredLine[]> {
    const now = this.#elapsed();
    if (this.#cache && now < this.#cache.until) return this.#cache.lines;
    const copy = { lines: this.#fetchLines(), until: now + CACHE_MS };
    this.#cache = copy;
    // A failure is not cached: the next call retries.
    copy.lines.catch(() => {
      if (this.#cache === copy) this.#cache = undefined;
    });
    return copy.lines;
  }

  async #fetchLines(): Promise<StoredLine[]> {
    const call = { operation: "read the log", method: "GET", path: "/api/logger" } as const;
    const texts = await this.#client.request({ ...call, maxBytes: MAX_BYTES }, replySchema);
    const lines: StoredLine[] = [];
    for (let index = Math.max(0, texts.length - MAX_LINES); index < texts.length; index += 1) {
      lines.push(toStoredLine(index + 1, texts[index] ?? ""));
      if (lines.length % BATCH_SIZE === 0) await yieldToLoop();
    }
    return lines;
  }
}

/** Converts an id to an index, clamped to just outside the lines. Ids have no gaps. */
function getPlace(all: readonly StoredLine[], id: number): number {
  return Math.min(Math.max(id - (all[0]?.id ?? 1), -1), all.length);
}

/** Converts a line of the response, which is untrusted input. */
function toStoredLine(id: number, text: string): StoredLine {
  const line = safeLogLine(maskBeginning(text, LONGEST_LOG_LINE), text.length);
  const parsed = parseLogLine(line);
  return { id, at: parsed?.at, level: parsed?.level ?? "", line };
}

function createMatcher({ search = "", level, from, until }: LogFilter): (line: StoredLine) => boolean {
  const terms = toSearchTerms(search);
  return (line) => {
    if (level === undefined ? line.level === "" : line.level !== level) return false;
    if (from !== undefined && (line.at === undefined || line.at < from)) return false;
    if (until !== undefined && (line.at === undefined || line.at >= until)) return false;
    const text = terms.length > 0 ? toLowerAscii(line.line) : "";
    return terms.every((term) => text.includes(term));
  };
}

/** A time within an hour includes the whole hour. */
const isWithinHours = (hour: number, { from, until }: Pick<LogFilter, "from" | "until">): boolean =>
  (from === undefined || hour >= startOfHour(from)) && (until === undefined || hour < until);

function countByLevel(lines: readonly StoredLine[]): LogCount[] {
  return [...Map.groupBy(lines, ({ level }) => level)]
    .map(([level, ofLevel]) => ({ level, lines: ofLevel.length }))
    .sort((a, b) => (a.level < b.level ? -1 : 1));
}
