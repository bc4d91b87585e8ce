import { visibleText } from "~/lib/log-line";

/** pino's levels in the specification's words; the rest keep their names and count as unknown. */
const LEVELS: readonly (readonly [from: number, name: string])[] = [
  [50, "ERROR"],
  [40, "WARN"],
  [30, "INFO"],
  [20, "DEBUG"],
  [0, "TRACE"],
];
/** Of a value, in characters; a stack has its own room. */
const LONGEST_VALUE = 2000;

/**
 * A line of the logger (JSON) as `date [LEVEL] message`: what it says, then its fields as name=value, the request's id and
 * an error with its stack last. A text that is no such JSON, as one that had to be cut, is shown as it is.
 */
export function fromPinoLine(json: string): string {
  const fields = parseFields(json);
  if (!fields) return cutLine(json);
  const { level, time, msg, id, err, ...rest } = fields;
  const parts = [typeof msg === "string" ? msg : "", ...Object.entries(rest).map(fieldText)];
  if (id !== undefined) parts.push(fieldText(["id", id]));
  if (err !== undefined) parts.push(errorText(err));
  return `${String(time)} [${levelName(level)}] ${parts.filter(Boolean).join(" ")}`;
}

function parseFields(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Its head is whole: pino writes level and time first. */
function cutLine(json: string): string {
  const [head = "", level = "", time = ""] = /^\{"level":(\d+),"time":"([^"]*)",/.exec(json) ?? [];
  return head === "" ? json : `${time} [${levelName(Number(level))}] ${json.slice(head.length)}`;
}

function levelName(level: unknown): string {
  const number = typeof level === "number" ? level : 0;
  return LEVELS.find(([from]) => number >= from)?.[1] ?? "TRACE";
}

function fieldText([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const shown = visibleText(text.slice(0, LONGEST_VALUE));
  return `${visibleText(name)}=${typeof value === "string" && /[\s"=]/.test(shown) ? JSON.stringify(shown).replaceAll("\\\\", "\\") : shown}`;
}

function errorText(err: unknown): string {
  if (typeof err !== "object" || err === null) return fieldText(["err", err]);
  const { type, message, stack, ...rest } = { type: "Error", message: "", stack: "", ...err };
  const more = Object.entries(rest).map(fieldText).join(" ");
  // A stack begins with the other two.
  return [more, `error=${String(stack) || `${String(type)}: ${String(message)}`}`].filter(Boolean).join(" ");
}
