import { safeLogLine, visibleText } from "~/lib/log-line";
import { parseJson } from "~/lib/parse-json";
import type { LogLine } from "./log-store";

/** Names of pino's levels, each from its number on; a fatal one is an ERROR. The specification knows the first three. */
const LEVELS: readonly (readonly [from: number, name: string])[] = [
  [50, "ERROR"],
  [40, "WARN"],
  [30, "INFO"],
  [20, "DEBUG"],
  [0, "TRACE"],
];
/** Maximum length of a field's value in characters; message and stack are limited with the line. */
const MAX_VALUE_LENGTH = 2000;

/**
 * Turns a JSON line of the logger into a line `date [LEVEL] message`: the message, then the fields as name=value,
 * the request's id and an error with its stack last. A truncated line keeps date and level; other text has neither.
 */
export function parsePinoLine(json: string): LogLine {
  const parsed = parseJson(json);
  if (typeof parsed !== "object" || parsed === null) return parseTruncatedLine(json);
  const fields: Record<string, unknown> = { ...parsed };
  const { level, time, msg, id, err, ...rest } = fields;
  const parts = [typeof msg === "string" ? msg : "", ...Object.entries(rest).map(formatField)];
  if (id !== undefined) parts.push(formatField(["id", id]));
  if (err !== undefined) parts.push(formatError(err));
  return toLogLine(String(time), getLevelName(level), parts.filter(Boolean).join(" "));
}

/** Reads a truncated line, whose head is complete: pino writes level and time first. */
function parseTruncatedLine(json: string): LogLine {
  const [head = "", level = "", time = ""] = /^\{"level":(\d+),"time":"([^"]*)",/.exec(json) ?? [];
  if (head === "") return { at: undefined, level: "", line: safeLogLine(json) };
  return toLogLine(time, getLevelName(Number(level)), json.slice(head.length));
}

function toLogLine(time: string, level: string, message: string): LogLine {
  const at = Date.parse(time);
  return {
    at: Number.isNaN(at) ? undefined : at,
    level,
    line: safeLogLine(`${time} [${level}] ${message}`),
  };
}

function getLevelName(level: unknown): string {
  const number = typeof level === "number" ? level : 0;
  return LEVELS.find(([from]) => number >= from)?.[1] ?? "TRACE";
}

function formatField([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const shown = visibleText(text.slice(0, MAX_VALUE_LENGTH));
  // The backslashes of visibleText are not doubled again.
  return `${visibleText(name)}=${typeof value === "string" && /[\s"=]/.test(shown) ? JSON.stringify(shown).replaceAll("\\\\", "\\") : shown}`;
}

function formatError(err: unknown): string {
  if (typeof err !== "object" || err === null) return formatField(["err", err]);
  const { type, message, stack, ...rest } = { type: "Error", message: "", stack: "", ...err };
  const more = Object.entries(rest).map(formatField).join(" ");
  // A stack starts with type and message.
  return [more, `error=${String(stack) || `${String(type)}: ${String(message)}`}`].filter(Boolean).join(" ");
}
