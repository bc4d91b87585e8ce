import { parseLogLine, visibleText } from "~/lib/log-line";
import { logs } from "~/services/container.server";
import type { LogCount, LogFilter, LogPage, StoredLine } from "~/services/logs/log-store";
import { logsList, parseHour } from "./filter";
import { getVolume, getVolumeRange } from "./volume";

/** Lines of each level while all levels are shown. */
const GROUP_SIZE = 20;
const PAGE_SIZE = 100;
/** Further levels are named but not shown. */
const MAX_GROUPS = 8;
/** Characters of a message in the table, which cuts it at three lines. The full message is shown on demand. */
const MAX_MESSAGE_LENGTH = 600;
/** Messages up to this many characters need no cut. */
const UNCUT_MESSAGE_LENGTH = 300;
const KNOWN = ["ERROR", "WARN", "INFO"];

const NONE: LogPage = { lines: [], next: undefined, scanned: 0 };

/**
 * Builds System Logs from its URL: `?q=`, `&level=`, `&from=` and `&to=` filter, `&past=` starts the page
 * after that line, `&whole=` shows that line's message in full, `&step=delete` asks before everything is
 * deleted. Lines are grouped by level, with counts; search results are grouped as far as the search went.
 */
export async function getLogsView(search: URLSearchParams) {
  const now = Date.now();
  const read = logsList.read(search);
  const filter = read.ok ? read.filter : {};
  const past = readLineId(search, "past");
  const whole = readLineId(search, "whole");
  const time = getVolumeRange(readDays(search), now);
  const isTimed = filter.from !== undefined || filter.until !== undefined;
  const [all, ofTime, hours, outOfReach] = await Promise.all([
    logs.counts({}),
    isTimed ? logs.counts(filter) : undefined,
    logs.hours({ level: filter.level, ...time }),
    logs.outOfReach(),
  ]);
  const counted = read.ok ? (ofTime ?? all) : [];
  const levels = sortLevels(counted.filter(({ level }) => level !== ""));
  const isOverview = filter.search === undefined && filter.level === undefined && past === undefined;
  const page = isOverview || !read.ok ? NONE : await logs.page(filter, { past, limit: PAGE_SIZE });
  const groups = isOverview
    ? await overview(filter, levels.slice(0, MAX_GROUPS), whole)
    : toGroups(page.lines, filter.search === undefined ? levels : [], whole);
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
    total: all.reduce((sum, { lines }) => sum + lines, 0),
    outOfReach,
    ignored: all.find(({ level }) => level === "")?.lines ?? 0,
    levels: sortLevels(all.filter(({ level }) => level !== "")).map(({ level }) => level),
    notShown: isOverview ? levels.slice(MAX_GROUPS).map(({ level }) => level) : [],
    volume: getVolume(time, hours),
    confirmsDeletion: search.get("step") === "delete",
    isLive: search.get("live") === "on" && past === undefined,
  };
}

interface ShownLine {
  id: number;
  at?: number;
  /** Its own words for a time of an unknown format. */
  date?: string;
  message: string;
  isCut?: true;
}

export type LogsView = Awaited<ReturnType<typeof getLogsView>>;
export type LogGroup = LogsView["groups"][number];

/** Reads the days of the chart, which stay when one of their hours is selected. */
function readDays(search: URLSearchParams) {
  const ofDays = new URLSearchParams(search);
  ofDays.delete("hour");
  const { filter } = logsList.readLoosely(ofDays);
  return { from: filter.from, until: filter.until, hour: parseHour(search.get("hour") ?? "") };
}

function readLineId(search: URLSearchParams, name: "past" | "whole"): number | undefined {
  const id = Number(search.get(name) ?? NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function overview(filter: LogFilter, levels: readonly LogCount[], whole: number | undefined) {
  return Promise.all(
    levels.map(async ({ level, lines: count }) => {
      const { lines } = await logs.page({ ...filter, level }, { limit: GROUP_SIZE });
      return { level, count, isFound: false, lines: lines.map((line) => toShownLine(line, whole)) };
    }),
  );
}

/** Groups the lines by level. @param counts of the levels, where they are known; otherwise the lines are counted. */
function toGroups(lines: readonly StoredLine[], counts: readonly LogCount[], whole: number | undefined) {
  const groups = [...Map.groupBy(lines, ({ level }) => level)].map(([level, ofLevel]) => {
    const count = counts.find((known) => known.level === level)?.lines;
    return {
      level,
      lines: ofLevel.map((line) => toShownLine(line, whole)),
      count: count ?? ofLevel.length,
      isFound: count === undefined,
    };
  });
  return sortLevels(groups);
}

/** Prepares a line for the table. Another program may have stored it: control characters are escaped. */
function toShownLine({ id, at, line }: StoredLine, whole: number | undefined): ShownLine {
  const parsed = parseLogLine(line);
  const message = visibleText(parsed?.message ?? line);
  const isCut = id !== whole && message.length > UNCUT_MESSAGE_LENGTH;
  return {
    id,
    ...(at === undefined ? { date: visibleText(parsed?.date ?? "") } : { at }),
    message: isCut ? message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed() : message,
    ...(isCut ? { isCut } : {}),
  };
}

/** Sorts levels by severity, then unknown levels by name. */
function sortLevels<T extends { level: string }>(levels: readonly T[]): T[] {
  const rank = ({ level }: T) => (KNOWN.includes(level) ? KNOWN.indexOf(level) : KNOWN.length);
  return levels.toSorted((a, b) => rank(a) - rank(b) || (a.level < b.level ? -1 : 1));
}
