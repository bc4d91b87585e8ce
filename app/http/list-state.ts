import { filterMessages } from "~/content/lists";
import type { NoticeCode } from "~/content/notices";
import { codePoints } from "~/lib/clean-text";
import { isTurned, type Direction, type ListPage, type SortOrder } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import { endOfZonedDay, startOfZonedDay } from "~/lib/zoned-day";
import { UTC } from "~/lib/zoned-time";

/** A field of a list's URL; an empty one does not filter. */
interface ListField<Value> {
  /** Parses a text that is not empty; undefined when it is invalid. @param timeZone of whoever reads the list. */
  parse(text: string, timeZone: string): Value | undefined;
  /** The message for an invalid value, which says what is valid. */
  readonly error: string;
  /** Normalizes what was typed. */
  clean?(typed: string): string;
}

type Fields = Readonly<Record<string, ListField<unknown>>>;
type Parsed<Of extends Fields> = {
  readonly [Name in keyof Of]: (Of[Name] extends ListField<infer Value> ? Value : never) | undefined;
};

/** The fields as they appear in the URL and in the filter form. */
type ListValues<Name extends string> = Record<Name, string>;
type ListErrors<Name extends string> = Partial<Record<Name, string>>;

type ReadList<Name extends string, Filter> =
  | { readonly ok: true; readonly values: ListValues<Name>; readonly filter: Filter }
  | { readonly ok: false; readonly values: ListValues<Name>; readonly errors: ListErrors<Name> };

export const anyText: ListField<string> = { error: "", parse: (text) => text };

/** A field of at most `max` characters, so that the whole state fits into a URL (hardening R17). */
export function shortText(max: number, error: string): ListField<string> {
  return { error, parse: (text) => (codePoints(text) > max ? undefined : text) };
}

export function oneOf<Choice extends string>(choices: readonly Choice[]): ListField<Choice> {
  return { error: filterMessages.notAChoice, parse: (text) => choices.find((choice) => choice === text) };
}

/** What a list can be sorted by, with the direction of each that comes first. The first one is the list's own order. */
export type Sorts<By extends string = string> = Readonly<Record<By, Direction>>;

/** The order of a list in its URL: `?sort=name&order=desc`. Its links alone set it, so a wrong value is no error. */
export function sortFields<By extends string>(sorts: Sorts<By>) {
  return { sort: knownOr(Object.keys(sorts) as By[]), order: knownOr<Direction>(["asc", "desc"]) };
}

function knownOr<Choice extends string>(choices: readonly Choice[]) {
  const clean = (typed: string): string => choices.find((choice) => choice === typed) ?? "";
  return { ...oneOf(choices), clean };
}

/** Returns the order that the values of a list's URL ask for, or the list's own. */
export function toOrder<By extends string>(
  sorts: Sorts<By>,
  values: { readonly sort?: string | undefined; readonly order?: string | undefined },
): SortOrder<By> {
  const all = Object.keys(sorts) as By[];
  const sort = all.find((by) => by === values.sort) ?? all[0];
  if (sort === undefined) throw new Error("a list has an order of its own");
  const direction = values.order === "asc" || values.order === "desc" ? values.order : sorts[sort];
  return { sort, direction };
}

/** Defines the state of a list that is sorted and not filtered. */
export const sortedList = <By extends string>(sorts: Sorts<By>) =>
  listState(sortFields(sorts), (order): SortOrder<By> => toOrder(sorts, order));

/** Returns the values of the filter alone. */
export function withoutOrder(values: UrlState): UrlState {
  return { ...values, sort: "", order: "" };
}

/**
 * Returns what filters in words, for the activity: `role developer, company "Acme", from 2026-11-01 (Europe/Berlin)`.
 * @param names of the fields. @param typed fields that hold any text, which is quoted. @returns "" when nothing filters.
 */
export function describeFilterInWords(
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
  { typed, timeZone }: { typed: readonly string[]; timeZone: string },
): string {
  const parts = Object.entries(names).flatMap(([field, name]) => {
    const value = values[field] ?? "";
    return value === "" ? [] : `${name} ${typed.includes(field) ? `"${value}"` : value}`;
  });
  const zone = values.from || values.to ? ` (${timeZone})` : "";
  return `${parts.join(", ")}${zone}`;
}

/** The first and last day of a filter, inclusive, in the reader's time zone. In milliseconds the range ends before `to`. */
export const dayFields = {
  from: { error: filterMessages.notADay, parse: startOfZonedDay },
  to: { error: filterMessages.notADay, parse: endOfZonedDay },
} as const;

/**
 * Defines a list's state in its URL.
 * @param fields in the order of links.
 * @param toFilter makes the service's filter.
 * @param check returns the errors of valid values that do not go together.
 */
export function listState<Of extends Fields, Filter>(
  fields: Of,
  toFilter: (parsed: Parsed<Of>, timeZone: string) => Filter,
  check?: (parsed: Parsed<Of>, timeZone: string) => ListErrors<keyof Of & string>,
) {
  type Name = keyof Of & string;

  function parse(search: URLSearchParams, timeZone: string) {
    const values: Record<string, string> = {};
    const parsed: Record<string, unknown> = {};
    const errors: Record<string, string> = {};
    for (const [name, field] of Object.entries(fields)) {
      const typed = (search.get(name) ?? "").replaceAll("\0", "").toWellFormed().trim();
      const text = field.clean ? field.clean(typed) : typed;
      values[name] = text;
      if (text === "") continue;
      parsed[name] = field.parse(text, timeZone);
      if (parsed[name] === undefined) errors[name] = field.error;
    }
    const { from, to } = parsed;
    if (typeof from === "number" && typeof to === "number" && to <= from)
      errors.to = filterMessages.dayBefore;
    // The loop has visited every field.
    const visited = parsed as Parsed<Of>;
    return {
      values: values as ListValues<Name>,
      parsed: visited,
      errors: { ...check?.(visited, timeZone), ...errors } as ListErrors<Name>,
    };
  }

  /** Parses what is left without the invalid values. Without a day, its time becomes invalid as well. */
  function parseLoosely(search: URLSearchParams, timeZone: string): ReturnType<typeof parse> {
    const read = parse(search, timeZone);
    const invalid = Object.keys(read.errors).filter((name) => search.has(name));
    if (invalid.length === 0) return read;
    const rest = new URLSearchParams(search);
    for (const name of invalid) rest.delete(name);
    return parseLoosely(rest, timeZone);
  }

  return {
    /** @param timeZone of the days; UTC will do where the list has none, or where only the values are used. */
    read(search: URLSearchParams, timeZone = UTC): ReadList<Name, Filter> {
      const { values, parsed, errors } = parse(search, timeZone);
      if (Object.keys(errors).length > 0) return { ok: false, values, errors };
      return { ok: true, values, filter: toFilter(parsed, timeZone) };
    },

    /** Reads the state of a list whose form shows no errors: an invalid value does not filter. */
    readLoosely(search: URLSearchParams, timeZone = UTC) {
      const { values, parsed } = parseLoosely(search, timeZone);
      return { values, filter: toFilter(parsed, timeZone) };
    },
  };
}

type AnyList = { read(search: URLSearchParams): ReadList<string, unknown> };
export type ValuesOf<List extends AnyList> = ReturnType<List["read"]>["values"];

export interface UrlState {
  readonly notice?: NoticeCode | undefined;
  readonly [name: string]: string | number | readonly string[] | undefined;
}

/** Where a page is in its list: before or after the row with an id (`ListPage`); the first page has no place. */
export type Place = Pick<ListPage, "before" | "after">;

/**
 * Reads a page's place from the list's URL or form; an id that is none of ours counts as left out.
 * @param table the name of the table before a dash, where a screen has several: `?signups-before=`.
 */
export function readPlace(search: URLSearchParams, table = ""): Place {
  const toId = (bound: string) => {
    const id = search.get(bound) ?? "";
    return isUuid(id) ? id : undefined;
  };
  const before = toId(toParameter("before", table));
  return before === undefined ? { after: toId(toParameter("after", table)) } : { before };
}

const toParameter = (bound: keyof Place, table: string) => (table ? `${table}-${bound}` : bound);

export interface PageOfList<Row> {
  readonly rows: readonly Row[];
  readonly place: Place;
  readonly isFirst: boolean;
  /** Places of the pages beside it; undefined where there is none. */
  readonly previous: Place | undefined;
  readonly next: Place | undefined;
}

/**
 * Reads a page of a list. Where fewer rows than a page come before it, the page before it is the first one, in full; so is
 * a page whose bound has gone.
 * @param list reads that many rows at a place, in the list's direction.
 */
export async function readPage<Row extends { readonly id: string }>(
  place: Place,
  size: number,
  list: (page: ListPage) => Promise<readonly Row[]>,
  direction: Direction = "desc",
): Promise<PageOfList<Row>> {
  // One more than a page, to know whether another page follows.
  const limit = size + 1;
  const toPlace = (row: Row | undefined, isNext: boolean): Place | undefined =>
    row && (isNext === (direction === "desc") ? { before: row.id } : { after: row.id });
  const isTowardsFirst = isTurned({ ...place, limit }, direction);
  let isBoundGone = false;
  let found = await list({ ...place, limit, onBoundGone: () => (isBoundGone = true) });
  if (isTowardsFirst && !isBoundGone) {
    if (found.length === limit) {
      const rows = found.slice(1);
      const [previous, next] = [toPlace(rows[0], false), toPlace(rows.at(-1), true)];
      return { rows, place, isFirst: false, previous, next };
    }
    found = await list({ limit });
  }
  const start = isTowardsFirst || isBoundGone ? {} : place;
  const rows = found.slice(0, size);
  const isFirst = start.before === undefined && start.after === undefined;
  return {
    rows,
    place: start,
    isFirst,
    previous: isFirst ? undefined : toPlace(rows[0], false),
    next: found.length > size ? toPlace(rows.at(-1), true) : undefined,
  };
}

type OtherPages = Pick<PageOfList<unknown>, "isFirst" | "previous" | "next">;

/** Creates the links to a list's other pages. @param values of the filter and the order. @param table as in `readPlace`. */
export function toPageLinks(
  path: string,
  { isFirst, previous, next }: OtherPages,
  values: UrlState = {},
  table = "",
) {
  const toLink = (place: Place | undefined) =>
    place &&
    linkTo(path, {
      ...values,
      [toParameter("before", table)]: place.before,
      [toParameter("after", table)]: place.after,
    });
  return {
    first: isFirst ? undefined : linkTo(path, values),
    previous: toLink(previous),
    next: toLink(next),
  };
}

/** Formats URL parameters without the question mark: empty values are omitted, a list repeats its name. */
export function toSearch(state: UrlState): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (typeof value === "object") for (const one of value) search.append(name, one);
    else if (value) search.set(name, String(value));
  }
  return String(search);
}

/** Returns a link to a screen with the state that a reload keeps; the path's own search stays, and its anchor at the end. */
export function linkTo(path: string, state: UrlState = {}): string {
  const [page = "", anchor] = path.split("#");
  const search = toSearch(state);
  return `${page}${search && `${page.includes("?") ? "&" : "?"}${search}`}${anchor ? `#${anchor}` : ""}`;
}
