import { filterMessages } from "~/content/lists";
import type { NoticeCode } from "~/content/notices";
import { codePoints } from "~/lib/clean-text";
import { startOfNextDay, startOfUtcDay } from "~/lib/utc-day";

/** A field of a list's URL; an empty one does not filter. */
interface ListField<Value> {
  /** Parses a text that is not empty; undefined when it is invalid. */
  parse(text: string): Value | undefined;
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

/** The first and last day of a filter, in UTC and inclusive. In milliseconds the range ends before `to`. */
export const dayFields = {
  from: { error: filterMessages.notADay, parse: startOfUtcDay },
  to: {
    error: filterMessages.notADay,
    parse: (text: string) => {
      const start = startOfUtcDay(text);
      return start === undefined ? undefined : startOfNextDay(start);
    },
  },
} as const;

/** Defines a list's state in its URL. @param fields in the order of links. @param toFilter makes the service's filter. */
export function listState<Of extends Fields, Filter>(fields: Of, toFilter: (parsed: Parsed<Of>) => Filter) {
  type Name = keyof Of & string;

  function parse(search: URLSearchParams) {
    const values: Record<string, string> = {};
    const parsed: Record<string, unknown> = {};
    const errors: Record<string, string> = {};
    for (const [name, field] of Object.entries(fields)) {
      const typed = (search.get(name) ?? "").replaceAll("\0", "").toWellFormed().trim();
      const text = field.clean ? field.clean(typed) : typed;
      values[name] = text;
      if (text === "") continue;
      parsed[name] = field.parse(text);
      if (parsed[name] === undefined) errors[name] = field.error;
    }
    const { from, to } = parsed;
    if (typeof from === "number" && typeof to === "number" && to <= from)
      errors.to = filterMessages.dayBefore;
    // The loop has visited every field.
    return {
      values: values as ListValues<Name>,
      parsed: parsed as Parsed<Of>,
      errors: errors as ListErrors<Name>,
    };
  }

  return {
    read(search: URLSearchParams): ReadList<Name, Filter> {
      const { values, parsed, errors } = parse(search);
      if (Object.keys(errors).length > 0) return { ok: false, values, errors };
      return { ok: true, values, filter: toFilter(parsed) };
    },

    /** Reads the state of a list whose form shows no errors: an invalid value does not filter. */
    readLoosely(search: URLSearchParams) {
      const { values, parsed, errors } = parse(search);
      for (const name of Object.keys(errors) as Name[]) values[name] = "";
      return { values, filter: toFilter(parsed) };
    },
  };
}

type AnyList = { read(search: URLSearchParams): ReadList<string, unknown> };
export type ValuesOf<List extends AnyList> = ReturnType<List["read"]>["values"];

export interface UrlState {
  readonly notice?: NoticeCode | undefined;
  readonly [name: string]: string | number | readonly string[] | undefined;
}

/**
 * Cuts a page. @param found one row more than a page when there is a next one. @param before the id after which
 * the page begins, undefined for the first. @returns `older`: the id after which the next page begins.
 */
export function toPage<Row extends { readonly id: string }>(
  found: readonly Row[],
  size: number,
  before?: string,
) {
  const rows = found.slice(0, size);
  const older = found.length > size ? rows.at(-1)?.id : undefined;
  return { rows, older, isNewest: before === undefined };
}

/** Creates the links to a list's other pages, by `?before=`. @param values of the filter. */
export function toPageLinks(
  path: string,
  { older, isNewest }: { older: string | undefined; isNewest: boolean },
  values: UrlState = {},
) {
  return {
    newest: isNewest ? undefined : linkTo(path, values),
    older: older === undefined ? undefined : linkTo(path, { ...values, before: older }),
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

/** Returns a link to a screen with the state that a reload keeps; the path's anchor stays at the end. */
export function linkTo(path: string, state: UrlState = {}): string {
  const [page, anchor] = path.split("#");
  const search = toSearch(state);
  return `${page}${search && `?${search}`}${anchor ? `#${anchor}` : ""}`;
}
