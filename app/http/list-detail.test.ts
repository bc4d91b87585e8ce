import { expect, it } from "vitest";
import { shouldReloadList, toListSearch } from "./list-detail";

const ORIGIN = "http://localhost";
const toUrl = (path: string) => new URL(path, ORIGIN);
const toParams = (path: string) => {
  const [, kind, id] = /^\/list\/(\w+)(?:\/(\w+))?/.exec(path) ?? [];
  return { kind, ...(id === undefined ? {} : { id }) };
};

/** Says of each change whether the list is read again; Remix would by itself. */
it.each([
  ["/list/a", "/list/a?step=delete", true],
  ["/list/a?q=x", "/list/a?q=y", true],
  ["/list/a?q=x", "/list/a/1?from=q%3Dx", false],
  ["/list/a?q=x&notice=saved", "/list/a/1?from=q%3Dx", false],
  ["/list/a/1?from=q%3Dx", "/list/a/2?from=q%3Dx", false],
  ["/list/a/1?from=q%3Dx", "/list/a/1?from=q%3Dx&step=erase", false],
  ["/list/a/1?from=q%3Dx", "/list/a?q=x", false],
  ["/list/a/1?from=q%3Dx", "/list/a?q=y", true],
  ["/list/a/1?from=q%3Dx", "/list/a?q=x&step=delete", true],
  ["/list/a/1?from=q%3Dx", "/list/a?q=x&step=delete&through=1", true],
  ["/list/a?q=x&step=delete", "/list/a/1?from=q%3Dx", true],
  ["/list/a/1", "/list/b", true],
  ["/list/a/1", "/list/a/1", true],
])("from %s to %s: %s", (current, next, expected) => {
  const change = {
    currentUrl: toUrl(current),
    currentParams: toParams(current),
    nextUrl: toUrl(next),
    nextParams: toParams(next),
    defaultShouldRevalidate: true,
  };
  expect(shouldReloadList(change)).toBe(expected);
  expect(shouldReloadList({ ...change, formMethod: "POST" })).toBe(true);
});

it("carries the list's state to a row, without what was said once", () => {
  const search = new URLSearchParams("q=x&notice=saved&count=2&step=delete&id=1");
  expect(String(toListSearch(search, {}))).toBe("q=x&id=1");
  expect(String(toListSearch(new URLSearchParams("from=q%3Dx&step=erase"), { id: "1" }))).toBe("q=x");
});
