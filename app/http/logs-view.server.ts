import { breakStack, splitLogLine, visibleText } from "~/lib/log-line";
import { UpstreamError } from "~/lib/upstream-error";
import { startOfHour } from "~/lib/utc-day";
import type { LogCount, LogFilter, StoredLine } from "~/services/logs/log-store";
import { getVolume, getVolumeRange } from "~/services/logs/log-volume";
import type { createLogs } from "~/services/logs/logs.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { logsList, type LinePlace } from "./lists/logs-list";
import { logError } from "./request-context.server";

/** Lines of each level while all levels are shown. */
const GROUP_SIZE = 20;
const PAGE_SIZE = 100;
/** Further levels are named but not shown. */
const MAX_GROUPS = 8;
/** Characters of a message in the table, which cuts it at three lines. The full message is shown on demand. */
const MAX_MESSAGE_LENGTH = 600;
/** Messages up to this many characters and lines need no cut. */
const UNCUT_MESSAGE_LENGTH = 300;
const UNCUT_LINES = 3;
const KNOWN = ["ERROR", "WARN", "INFO"];

type Logs = Pick<ReturnType<typeof createLogs>, "isOurs" | "page" | "counts" | "hours" | "outOfReach">;

interface LinePage {
  /** Newest first. */
  readonly lines: readonly StoredLine[];
  /** Number of lines that were searched one by one before the page was full; 0 where an index found them. */
  readonly scanned: number;
  readonly place: LinePlace;
  readonly isFirst: boolean;
  /** Places of the newer and the older page; undefined where there is none. */
  readonly previous: LinePlace | undefined;
  readonly next: LinePlace | undefined;
}

const NONE: LinePage = {
  lines: [],
  scanned: 0,
  place: {},
  isFirst: true,
  previous: undefined,
  next: undefined,
};

/** Reads a page of lines. Where fewer lines than a page are newer, the newer page is the first one, in full. */
async function readLinePage(logs: Logs, filter: LogFilter, { before, after }: LinePlace): Promise<LinePage> {
  if (before === undefined && after !== undefined) {
    const { lines, next, scanned } = await logs.page(filter, {
      past: after,
      order: "oldest",
      limit: PAGE_SIZE,
    });
    if (next !== undefined) {
      const oldest = lines[0]?.id ?? after + 1;
      const pages = { previous: { after: next }, next: { before: oldest } };
      return { lines: lines.toReversed(), scanned, place: { after }, isFirst: false, ...pages };
    }
  }
  const { lines, next, scanned } = await logs.page(filter, { past: before, limit: PAGE_SIZE });
  const isFirst = before === undefined;
  return {
    lines,
    scanned,
    place: { before },
    isFirst,
    previous: before === undefined ? undefined : { after: lines[0]?.id ?? before - 1 },
    next: next === undefined ? undefined : { before: next },
  };
}

/**
 * Builds System Logs from its URL: `?view=time` lists the lines by time, newest first; `?q=`, `&level=`, `&from=` and
 * `&to=` filter, with `&fromTime=` and `&toTime=`; `&before=` and `&after=` are pages, `&whole=` shows that line's
 * message in full, `&step=delete` asks before everything is deleted. Without `view` the lines are grouped by level, with
 * counts; search results are grouped as far as the search went.
 */
export async function getLogsView(
  logs: Logs,
  search: URLSearchParams,
  { timeZone }: Pick<SignedIn, "timeZone">,
) {
  const now = Date.now();
  const read = logsList.read(search, timeZone);
  const filter = read.ok ? read.filter : {};
  const whole = readLineId(search, "whole");
  const time = getVolumeRange(logsList.readLoosely(search, timeZone).filter, now, timeZone);
  const isTimed = filter.from !== undefined || filter.until !== undefined;
  const [all, ofTime, hours, outOfReach] = await Promise.all([
    logs.counts({}),
    isTimed ? logs.counts(filter) : undefined,
    logs.hours({ level: filter.level, from: startOfHour(time.from), until: time.until }),
    logs.outOfReach(),
  ]);
  const counted = read.ok ? (ofTime ?? all) : [];
  const levels = sortLevels(counted.filter(({ level }) => level !== ""));
  const isByTime = read.values.view === "time";
  const hasOverview = !isByTime && filter.search === undefined && filter.level === undefined;
  const asked = { before: readLineId(search, "before"), after: readLineId(search, "after") };
  const isNewest = asked.before === undefined && asked.after === undefined;
  const page = !read.ok || (hasOverview && isNewest) ? NONE : await readLinePage(logs, filter, asked);
  const isOverview = hasOverview && page.isFirst;
  const knownCounts = filter.search === undefined && hasExactCounts(filter) ? levels : [];
  const groups = isOverview
    ? await getOverview(logs, filter, levels.slice(0, MAX_GROUPS), whole)
    : toGroups(isByTime ? [] : page.lines, knownCounts, whole);
  return {
    now,
    place: page.place,
    isFirst: page.isFirst,
    previous: page.previous,
    whole,
    isByTime,
    /** Of the view by time, newest first. */
    lines: isByTime ? page.lines.map((line) => ({ level: line.level, ...toShownLine(line, whole) })) : [],
    /** Of the view by level. */
    groups,
    isOverview,
    next: page.next,
    lookedThrough: page.scanned,
    values: read.values,
    errors: read.ok ? undefined : read.errors,
    isOfPlatform: !logs.isOurs,
    /** All lines that can be shown, whatever the filter. */
    total: all.reduce((sum, { lines }) => sum + lines, 0),
    outOfReach,
    ignored: all.find(({ level }) => level === "")?.lines ?? 0,
    levels: sortLevels(all.filter(({ level }) => level !== "")).map(({ level }) => level),
    notShown: isOverview ? levels.slice(MAX_GROUPS).map(({ level }) => level) : [],
    volume: getVolume(time, hours, { chosen: filter, timeZone }),
    confirmsDeletion: search.get("step") === "delete",
    isLive: search.get("live") === "on" && page.isFirst,
  };
}

/** Throws an error of reading the log as `LogUnavailable` takes it: 503 with a reason for the platform's log. */
export function throwUnreadable(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  logError(error, "the platform's log could not be read");
  throw new Response([error.status, error.detail].filter(Boolean).join(" "), { status: 503 });
}

export interface ShownLine {
  id: number;
  at?: number;
  /** Its own words for a time of an unknown format. */
  date?: string;
  message: string;
  isCut?: true;
}

/** The response of /admin/logs/newest, which a live page requests. */
export interface NewestLogs {
  /** Undefined while the log cannot be read, and when the server answers with an error. */
  readonly view: LogsView | undefined;
}

export type LogsView = Awaited<ReturnType<typeof getLogsView>>;
export type LogGroup = LogsView["groups"][number];

function readLineId(search: URLSearchParams, name: "before" | "after" | "whole"): number | undefined {
  const id = Number(search.get(name) ?? NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

async function getOverview(
  logs: Logs,
  filter: LogFilter,
  levels: readonly LogCount[],
  whole: number | undefined,
) {
  const groups = await Promise.all(
    levels.map(async ({ level, lines: count }) => {
      const { lines, next } = await logs.page({ ...filter, level }, { limit: GROUP_SIZE });
      const shown = lines.map((line) => toShownLine(line, whole));
      if (hasExactCounts(filter)) return { level, count, counted: "all", lines: shown } as const;
      // The counts are those of whole hours; a level of the hour may have no line in these minutes.
      if (next !== undefined) return { level, count, counted: "at most", lines: shown } as const;
      return { level, count: lines.length, counted: "all", lines: shown } as const;
    }),
  );
  return groups.filter(({ count }) => count > 0);
}

/** Returns whether lines are counted exactly: by whole hours. */
function hasExactCounts({ from, until }: LogFilter): boolean {
  return [from, until].every((at) => at === undefined || at === startOfHour(at));
}

/** Groups the lines by level. @param counts of the levels, where they are known; otherwise the lines are counted. */
function toGroups(lines: readonly StoredLine[], counts: readonly LogCount[], whole: number | undefined) {
  const groups = [...Map.groupBy(lines, ({ level }) => level)].map(([level, ofLevel]) => {
    const count = counts.find((known) => known.level === level)?.lines;
    return {
      level,
      lines: ofLevel.map((line) => toShownLine(line, whole)),
      count: count ?? ofLevel.length,
      counted: count === undefined ? "found" : "all",
    } as const;
  });
  return sortLevels(groups);
}

/** Prepares a line for the table. Another program may have stored it: control characters are escaped. */
function toShownLine({ id, at, level, line }: StoredLine, whole: number | undefined): ShownLine {
  const { date, ...rest } = splitLogLine({ level, line });
  const message = breakStack(visibleText(rest.message));
  const isLong = message.length > UNCUT_MESSAGE_LENGTH || message.split("\n").length > UNCUT_LINES;
  const isCut = isLong && id !== whole;
  return {
    id,
    ...(at === undefined ? { date: visibleText(date) } : { at }),
    message: isCut ? message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed() : message,
    ...(isCut ? { isCut } : {}),
  };
}

/** Sorts levels by severity, then unknown levels by name. */
function sortLevels<T extends { level: string }>(levels: readonly T[]): T[] {
  const rank = ({ level }: T) => (KNOWN.includes(level) ? KNOWN.indexOf(level) : KNOWN.length);
  return levels.toSorted((a, b) => rank(a) - rank(b) || (a.level < b.level ? -1 : 1));
}
