import { formatCount, grouped } from "~/lib/format-number";

const lines = (count: number) => formatCount(count, "line");

export const logsMessages = {
  title: "System Logs",
  state: (count: number) => (count === 0 ? "No lines are stored." : `${lines(count)} stored.`),
  newestLine: "Newest line",
  ignored: (count: number) => `${formatCount(count, "unparsed line is", "unparsed lines are")} hidden.`,
  outOfReach: (count: number) =>
    `${formatCount(count, "older line is", "older lines are")} neither shown nor searched.`,
  none: "No logs available.",
  noneText: "Requests, warnings and errors appear here within a second.",
  noMatch: "No lines match",
  noOlder: "No older lines",
  showAll: "Show all levels and days",
  deleteAll: "Delete All Logs",
  deleteAllShort: "Delete Logs",
  deleting: "Deleting...",
  question: "Are you sure you want to delete all logs? This action cannot be undone.",
  cancel: "Cancel",
  delete: "Delete",
  whatGoes: (count: number) => `${lines(count)} will be deleted. The deletion is recorded in Activity.`,
  deleteFailed:
    "The logs were not deleted and all lines are still there. Please try again; the newest ERROR says why.",
  filter: "Filter the log",
  search: "Words in the line",
  searchTooLong: "Please search for at most 100 characters.",
  level: "Level",
  anyLevel: "All levels",
  notALevel: "A level is a word like ERROR.",
  times: { from: "From time", to: "To time" },
  notATime: "Please enter a time like 14:05.",
  timeWithoutDay: "Please choose the day, too.",
  timeBefore: "This time is not after the first one.",
  downloadAll: "Download all",
  downloadThese: "Download these",
  columns: ["#", "Date", "Message"],
  groupTable: (level: string) => `Lines of the level ${level}`,
  counted: {
    found: (count: number) => `${grouped(count)} found here`,
    /** So many are in the whole hours around the filter's times. */
    "at most": (count: number) => `At most ${grouped(count)}`,
  },
  allLines: (level: string, count?: number) =>
    count === undefined ? `All lines of ${level}` : `All ${lines(count)} of ${level}`,
  newestLines: (shown: number) => `The newest ${grouped(shown)}.`,
  moreLevels: (levels: readonly string[]) => `Not shown: ${levels.join(", ")}. Choose a level above.`,
  onPage: (shown: number) => `${lines(shown)} on this page`,
  lookedThrough: (count: number) => `Searched ${lines(count)}.`,
  goOn: "Search older lines",
  /** Follows "Newest", "Newer" and "Older". */
  lines: "lines",
  pages: "the log",
  openLine: (id: number) => `Line ${grouped(id)} in context`,
  showWhole: "Show whole message",
  views: { label: "Views of the log", level: "By level", time: "By time" },
  byTime: {
    title: "Newest first",
    waiting: "New lines are waiting.",
    newLines: (count: number, isWholePage: boolean) =>
      isWholePage ? `${grouped(count)} or more new lines` : formatCount(count, "new line"),
  },
  live: {
    start: "Live",
    stop: "Stop",
    on: "Live: new lines appear automatically.",
    away: "The server could not be reached. Retrying.",
    over: "Stopped after 15 minutes. Press Live to continue.",
  },
  volume: {
    hours: "Lines per hour",
    days: "Lines per day",
    /** Where days of the operator's zone begin within an hour: lines are counted by the hour. */
    daysOfUtc: "Lines per day of UTC",
    label: (what: string, per: "hour" | "day") => `${what} per ${per}`,
    ofAll: "Lines of all levels",
    of: (level: string) => `Lines of ${level}`,
    span: (count: number, per: "hour" | "day") => formatCount(count, per),
    only: ({ from, fromTime, to, toTime }: Record<"from" | "fromTime" | "to" | "toTime", string>) => {
      const last = `${to === from ? "" : `${to} `}${toTime || "24:00"}`;
      if (from === "") return `Only until ${last}.`;
      return `Only from ${from} ${fromTime || "00:00"}${to === "" ? "" : ` to ${last}`}.`;
    },
    allHours: "Show all hours",
    columns: { hour: "Hour", day: "Day", all: "Lines", others: "Other" },
    none: "No lines in this time.",
  },
  line: {
    title: (id: number) => `Line ${grouped(id)}`,
    state: "The line, and what was logged before and after it.",
    list: "Logs",
    gone: "This line no longer exists",
    goneText: "It was deleted, or it is older than the retention period.",
    around: "Before and after",
    ignored: "ignored",
  },
  searchGroup: "Log lines",
  searchMore: "Search the whole log",
  exportEverything: "everything",
} as const;
