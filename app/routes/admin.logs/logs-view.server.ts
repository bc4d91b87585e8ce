import { parseLogLine, visibleText } from "~/lib/log-line";
import { logs } from "~/services/container.server";
import type { LogCount, LogFilter, LogPage, StoredLine } from "~/services/logs/log-store";
import { logsList } from "./filter";
import { volumeOf, volumeTime } from "./volume";

/** Lines of each level while all levels are shown. */
const GROUP_SIZE = 20;
const PAGE_SIZE = 100;
/** Further levels are named but not shown. */
const MOST_GROUPS = 8;
/** Characters of a message in the table, which cuts it at three lines. The full message is shown on demand. */
const LONGEST_MESSAGE = 600;
/** Messages up to this many characters need no cut. */
const SHORT_MESSAGE = 300;
const KNOWN = ["ERROR", "WARN", "INFO"];

const NONE: LogPage = { lines: [], next: undefined, scanned: 0 };

/**
 * Builds System Logs from its URL: `?q=`, `&level=`, `&from=` and `&to=` filter, `&past=` starts the page
 * after that line, `&whole=` shows that line's message in full, `&step=delete` asks before everything is
 * deleted. Lines are grouped by level, with counts; search results are grouped as far as the search went.
 */
export async function logsView(search: URLSearchParams) {
  const now = Date.now();
  const read = logsList.read(search);
  const filter = read.ok ? read.filter : {};
  const past = lineIn(search, "past");
  const whole = lineIn(search, "whole");
  const time = volumeTime(filter, now);
  const [all, counted, hours, outOfReach] = await Promise.all([
    logs.counts({}),
    read.ok ? logs.counts(filter) : [],
    logs.hours({ level: filter.level, ...time }),
    logs.outOfReach(),
  ]);
  const levels = inOrder(counted.filter(({ level }) => level !== ""));
  const isOverview = filter.search === undefined && filter.level === undefined && past === undefined;
  const page = isOverview || !read.ok ? NONE : await logs.page(filter, { past, limit: PAGE_SIZE });
  const groups = isOverview
    ? await overview(filter, levels.slice(0, MOST_GROUPS), whole)
    : groupsOf(page.lines, filter.search === undefined ? levels : [], whole);
  return {
    now,
    past,
    whole,
    groups,
    isOverview,
    next: page.next,
    lookedThrough: page.scanned,
    values: read.values,
    errors: read.ok ? undefined : read.errors,
    isPlatforms: !logs.isOurs,
    /** All lines that can be shown, whatever the filter. */
    total: sumOf(all),
    outOfReach,
    ignored: all.find(({ level }) => level === "")?.lines ?? 0,
    levels: inOrder(all.filter(({ level }) => level !== "")).map(({ level }) => level),
    notShown: isOverview ? levels.slice(MOST_GROUPS).map(({ level }) => level) : [],
    volume: volumeOf(time, hours),
    asksToDelete: search.get("step") === "delete",
    isLive: search.get("live") === "on" && past === undefined,
  };
}

export type LogsView = Awaited<ReturnType<typeof logsView>>;
export type LogGroup = LogsView["groups"][number];

function lineIn(search: URLSearchParams, name: "past" | "whole"): number | undefined {
  const id = Number(search.get(name) ?? NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function overview(filter: LogFilter, levels: readonly LogCount[], whole: number | undefined) {
  return Promise.all(
    levels.map(async ({ level, lines: count }) => {
      const { lines } = await logs.page({ ...filter, level }, { limit: GROUP_SIZE });
      return { level, count, isFound: false, lines: lines.map((line) => asShown(line, whole)) };
    }),
  );
}

/** @param counts of the levels, where they are known; otherwise the lines found are counted */
function groupsOf(lines: readonly StoredLine[], counts: readonly LogCount[], whole: number | undefined) {
  const groups = [...Map.groupBy(lines, ({ level }) => level)].map(([level, ofLevel]) => {
    const count = counts.find((known) => known.level === level)?.lines;
    return {
      level,
      lines: ofLevel.map((line) => asShown(line, whole)),
      count: count ?? ofLevel.length,
      isFound: count === undefined,
    };
  });
  return inOrder(groups);
}

/**
 * Prepares a line for the table. Another program may have written into the store, so control characters are
 * made visible again.
 */
function asShown({ id, at, line }: StoredLine, whole: number | undefined) {
  const parsed = parseLogLine(line);
  const message = visibleText(parsed?.message ?? line);
  const isCut = id !== whole && message.length > SHORT_MESSAGE;
  return {
    id,
    at,
    date: visibleText(parsed?.date ?? ""),
    message: isCut ? message.slice(0, LONGEST_MESSAGE).toWellFormed() : message,
    isCut,
  };
}

/** Sorts levels by severity, then unknown levels by name. */
function inOrder<T extends { level: string }>(levels: readonly T[]): T[] {
  const rank = ({ level }: T) => (KNOWN.includes(level) ? KNOWN.indexOf(level) : KNOWN.length);
  return levels.toSorted((a, b) => rank(a) - rank(b) || (a.level < b.level ? -1 : 1));
}

const sumOf = (counts: readonly LogCount[]): number => counts.reduce((sum, { lines }) => sum + lines, 0);
