import { readDays } from "~/filter-days";
import { codePoints } from "~/lib/clean-text";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { LogFilter } from "~/services/logs/log-store";

const copy = operatorMessages.logs;

const FIELDS = ["q", "level", "from", "to"] as const;
type Field = (typeof FIELDS)[number];

/** So that it fits into a URL with all the rest (hardening R17). */
const LONGEST_SEARCH = 100;

/** The filter's fields as they stand in the URL; empty is any. */
export type FilterValues = Readonly<Record<Field, string>>;
export type FilterErrors = Partial<Record<Field, string>>;

export type ReadFilter =
  | { ok: true; values: FilterValues; filter: LogFilter }
  | { ok: false; values: FilterValues; errors: FilterErrors };

/** Reads the filter from the URL. Days are UTC and belong to the range, both of them. */
export function readFilter(search: URLSearchParams): ReadFilter {
  const given = (field: Field) => (search.get(field) ?? "").replaceAll("\0", "").toWellFormed().trim();
  const values = { q: given("q"), level: given("level").toUpperCase(), from: given("from"), to: given("to") };
  const { days, errors: wrongDays } = readDays(values);

  const errors: FilterErrors = { ...wrongDays };
  if (codePoints(values.q) > LONGEST_SEARCH) errors.q = copy.searchTooLong;
  if (!/^[A-Z]{0,16}$/.test(values.level)) errors.level = copy.notALevel;
  if (Object.keys(errors).length > 0) return { ok: false, values, errors };
  return {
    ok: true,
    values,
    filter: { search: values.q || undefined, level: values.level || undefined, ...days },
  };
}

/** The filter for a link: what is any is left out. */
export function filterSearch(values: FilterValues): string {
  return String(
    new URLSearchParams(FIELDS.flatMap((field) => (values[field] ? [[field, values[field]]] : []))),
  );
}

interface Place {
  /** The page past this line. */
  readonly past?: number | undefined;
  /** The line whose message is shown whole. */
  readonly whole?: number | undefined;
  readonly step?: "delete" | undefined;
  /** Whether new lines come by themselves. */
  readonly live?: "on" | undefined;
}

/** The page's URL: everything a reload should keep. */
export function logsAt(values: FilterValues, place: Place = {}): string {
  const search = new URLSearchParams(filterSearch(values));
  for (const [name, value] of Object.entries(place)) if (value) search.set(name, String(value));
  return search.size > 0 ? `${paths.logs}?${search}` : paths.logs;
}
