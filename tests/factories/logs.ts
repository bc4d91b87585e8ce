import { parseLogLine, safeLogLine } from "~/lib/log-line";
import { DatabaseLogStore } from "~/services/logs/drivers/database-log-store.server";
import type { LogFilter, LogLine, LogPlace, LogSource, LogStore } from "~/services/logs/log-store";
import { withDataFolder } from "./data-folder";

/** Opens a server's log store from another process of the same machine, for the time of `work`. */
export function withLogStore<T>(dataDir: string, work: (store: LogStore) => Promise<T>): Promise<T> {
  return withDataFolder(dataDir, (database) => work(new DatabaseLogStore(database)));
}

/** Appends lines that are written as text, `date [LEVEL] message` or of any other form. */
export function appendLines(store: Pick<LogStore, "append">, texts: readonly string[]): Promise<void> {
  return store.append(texts.map(toLogLine));
}

function toLogLine(text: string): LogLine {
  const line = safeLogLine(text);
  const { at, level = "" } = parseLogLine(line) ?? {};
  return { at, level, line };
}

/** Lists the log's lines, oldest first. */
export async function listLogLines(dataDir: string): Promise<string[]> {
  return withLogStore(dataDir, async (store) => {
    const { lines } = await store.page({}, { limit: 100_000, order: "oldest" });
    return lines.map(({ line }) => line);
  });
}

export const NOON = Date.UTC(2026, 10, 21, 12);
/** Formats a time as the log does, so many milliseconds after noon. */
export const at = (ms: number) => new Date(NOON + ms).toISOString();
export const info = (message: string, ms = 0) => `${at(ms)} [INFO] ${message}`;
export const error = (message: string, ms = 0) => `${at(ms)} [ERROR] ${message}`;

/** Lists the messages of matching lines, newest first. */
export async function listMessages(source: Pick<LogSource, "page">, filter: LogFilter = {}) {
  const { lines } = await source.page(filter, { limit: 100 });
  return lines.map(({ line }) => line.replace(/^.*?\] /, ""));
}

/** Joins the last characters of all lines, read two lines a page. */
export async function readLastCharacters(
  source: Pick<LogSource, "page">,
  order: LogPlace["order"],
): Promise<string> {
  let seen = "";
  let past: number | undefined;
  do {
    const page = await source.page({}, { past, limit: 2, order });
    seen += page.lines.map(({ line }) => line.at(-1)).join("");
    past = page.next;
  } while (past !== undefined);
  return seen;
}
