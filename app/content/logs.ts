import { grouped } from "~/lib/format-number";

const lines = (count: number) => `${grouped(count)} ${count === 1 ? "line" : "lines"}`;

/** What the back office says about the server's log. */
export const logsMessages = {
  title: "System Logs",
  menu: "Logs",
  /** What System Logs is also looked for by. */
  also: "errors warnings requests server output tail",
  state: (count: number) => (count === 0 ? "Nothing is kept at the moment." : `${lines(count)} kept.`),
  newestCame: "The newest came",
  ignored: (count: number) =>
    count === 1
      ? "1 line is not of the form date [LEVEL] message and is left out."
      : `${grouped(count)} lines are not of the form date [LEVEL] message and are left out.`,
  outOfReach: (count: number) =>
    `${grouped(count)} older ${count === 1 ? "line is" : "lines are"} neither shown nor searched.`,
  none: "No logs available.",
  noneText:
    "What the server does will stand here: requests, warnings and errors, a second after they happened.",
  wrong: "Nothing was looked up yet",
  wrongText: "Correct what is marked above and press Show.",
  noMatch: "No lines match",
  noMatchText: "Choose fewer words or more days.",
  noOlder: "There are no older lines",
  showAll: "Show all levels and days",
  deleteAll: "Delete All Logs",
  deleteAllShort: "Delete Logs",
  deleting: "Deleting...",
  question: "Are you sure you want to delete all logs? This action cannot be undone.",
  cancel: "Cancel",
  delete: "Delete",
  whatGoes: (count: number) => `${lines(count)} will be gone. That you deleted them stands in Activity.`,
  deleteFailed:
    "The logs were not deleted: the log store did not take it. All lines are still there. Please try again; the newest ERROR says why.",
  deleted: "All logs were deleted. What the server does from now on stands here again.",
  filter: "Filter the log",
  search: "Words in the line",
  searchTooLong: "Please search for at most 100 characters.",
  level: "Level",
  anyLevel: "All levels",
  notALevel: "A level is a word like ERROR.",
  downloadAll: "Download all",
  downloadThese: "Download these",
  columns: ["#", "Date", "Message"],
  groupTable: (level: string) => `Lines of the level ${level}`,
  /** Behind the number of a group. */
  found: (count: number) => `${grouped(count)} found here`,
  allOf: (level: string, count: number) => `All ${lines(count)} of ${level}`,
  newestOf: (shown: number) => `The newest ${grouped(shown)}.`,
  moreLevels: (levels: readonly string[]) => `Not shown: ${levels.join(", ")}. Choose a level above.`,
  onPage: (shown: number) => `${lines(shown)} on this page`,
  lookedThrough: (count: number) => `Looked through ${lines(count)}.`,
  goOn: "Look through older lines",
  older: "Older lines",
  newest: "Newest lines",
  pages: "the log",
  openLine: (id: number) => `Line ${grouped(id)} with what was logged around it`,
  showWhole: "Show whole message",
  live: {
    start: "Live",
    stop: "Stop",
    on: "Live: new lines come by themselves.",
    away: "The server was not reached. Trying again.",
    over: "Stopped after 15 minutes. Press Live to go on.",
  },
  volume: {
    hours: "Lines per hour",
    days: "Lines per day",
    label: (what: string, per: "hour" | "day") => `${what} per ${per}`,
    ofAll: "Lines of all levels",
    of: (level: string) => `Lines of ${level}`,
    utc: "UTC",
    numbers: "Exact numbers",
    columns: { hour: "Hour (UTC)", day: "Day (UTC)", all: "Lines", errors: "ERROR", warnings: "WARN" },
    none: "No lines in this time.",
  },
  line: {
    title: (id: number) => `Line ${grouped(id)}`,
    state: "The line, and what was logged before and after it.",
    back: "Back to the logs",
    gone: "This line is not kept any more",
    goneText: "It was deleted, or it was older than what is kept.",
    whole: "The line as it is",
    around: "Around it",
    ignored: "ignored",
    this: "This line",
  },
  searchGroup: "Log lines",
  searchMore: "Look through all of the log",
  exportEverything: "everything",
} as const;
