import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { linkTo } from "./list-state";

/*
 * A list whose rows open beside it: the list is a route, and the row's page is a route below it (`/list/:id`), in one
 * document. While a row is open, its URL has the list's own search in `?from=`.
 */

type Params = Readonly<Record<string, string | undefined>>;

/** What an action left in the list's URL, and what asks a question there: no row's link carries either on. */
const NOTICE = ["notice", "count", "deletion", "discarded"];
const QUESTION = ["step", "through"];

/** Returns the list's own search, whether a row is open or not. */
export const toListSearch = (search: URLSearchParams, params: Params): URLSearchParams =>
  readOwnSearch(search, params, [...NOTICE, ...QUESTION]);

/** @param left what is left out of the search of a list without an open row. */
function readOwnSearch(search: URLSearchParams, params: Params, left: readonly string[]): URLSearchParams {
  if (params.id !== undefined) return new URLSearchParams(search.get("from") ?? "");
  const own = new URLSearchParams(search);
  for (const name of left) own.delete(name);
  return own;
}

/** Returns the search that the list's loader reads: without an open row all of it, with its question and its notice. */
export function readListSearch(request: Request, params: Params): URLSearchParams {
  const { searchParams } = new URL(request.url);
  return params.id === undefined ? searchParams : toListSearch(searchParams, params);
}

/** Returns the link back to the list as it was. */
export const toList = (path: string, from: string) => `${path}${from && `?${from}`}`;

/** Reads `?from=` of a row's URL. */
export function readFrom(request: Request): string {
  return String(new URLSearchParams(new URL(request.url).searchParams.get("from") ?? ""));
}

/** Returns the URL of a row's page, which leads back to the list as it was. */
export const toRow = (path: string, from: string) => linkTo(path, { from });

/**
 * The `shouldRevalidate` of the list. As long as no row is open, it is as usual. Else the list is read again after a form,
 * when its own search changes, when its question comes or goes, and when the page is refreshed, and not when only the row
 * beside it changes.
 */
export function shouldReloadList(change: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, currentParams, nextUrl, nextParams, formMethod, defaultShouldRevalidate } = change;
  // As without this function: Remix gives it true as the default, also after a form that was refused or got no answer.
  if (change.actionStatus !== undefined && change.actionStatus >= 400) return false;
  const isForm = formMethod !== undefined && formMethod !== "GET";
  const isAlone = currentParams.id === undefined && nextParams.id === undefined;
  if (isForm || isAlone || currentUrl.href === nextUrl.href) return defaultShouldRevalidate;
  const isOtherList = Object.keys(nextParams).some(
    (name) => name !== "id" && nextParams[name] !== currentParams[name],
  );
  // The question is in the list's data: it comes and goes with it.
  const [current, next] = [
    readOwnSearch(currentUrl.searchParams, currentParams, NOTICE),
    readOwnSearch(nextUrl.searchParams, nextParams, NOTICE),
  ];
  return isOtherList || String(current) !== String(next);
}
