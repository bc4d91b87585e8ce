import { describe, expect, test } from "vitest";
import type { CachedResponse } from "./cached-response.ts";
import { PageCache } from "./page-cache.ts";

const ages = { freshMs: 60, staleWhileRevalidateMs: 120, staleIfErrorMs: 600, retryMs: 5 };
const pageNumber = (number: number) => ({ number }) as unknown as CachedResponse;
const nothing = undefined;

/** A cached page whose renderings the test resolves one by one. */
function cachedPage() {
  let time = 0;
  const renderings: PromiseWithResolvers<CachedResponse>[] = [];
  const failures: unknown[] = [];
  const page = new PageCache({
    render: () => {
      const rendering = Promise.withResolvers<CachedResponse>();
      renderings.push(rendering);
      return rendering.promise;
    },
    onError: (error) => void failures.push(error),
    ages,
    now: () => time,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    page,
    failures,
    begun: () => renderings.length,
    at: (now: number) => void (time = now),
    async succeed() {
      renderings.at(-1)?.resolve(pageNumber(renderings.length));
      await settled();
    },
    async fail(reason = "broken") {
      renderings.at(-1)?.reject(reason);
      await settled();
    },
  };
}

describe("a cached page", () => {
  test("is rendered once for simultaneous requests", async () => {
    const { page, begun, succeed } = cachedPage();
    const visitors = [page.get(), page.get(), page.get()];
    await succeed();
    expect(await Promise.all(visitors)).toEqual(Array(3).fill(pageNumber(1)));
    expect([page.get(), begun()]).toEqual([pageNumber(1), 1]);
  });

  test("is served stale while one rendering is under way, then the new one is", async () => {
    const { page, begun, at, succeed } = cachedPage();
    page.get();
    await succeed();
    at(59);
    expect([page.get(), begun()]).toEqual([pageNumber(1), 1]);
    at(60);
    expect([page.get(), page.get(), begun()]).toEqual([pageNumber(1), pageNumber(1), 2]);
    at(70);
    await succeed();
    expect([page.get(), begun()]).toEqual([pageNumber(2), 2]);
  });

  test("counts its age from the start of its rendering", async () => {
    const { page, begun, at, succeed } = cachedPage();
    page.get();
    at(50);
    await succeed();
    at(60);
    page.get();
    expect(begun()).toBe(2);
  });

  test("makes requests wait for a new rendering after an idle time", async () => {
    const { page, at, succeed } = cachedPage();
    page.get();
    await succeed();
    at(120);
    const waiting = [page.get(), page.get()];
    expect(waiting[0]).toBeInstanceOf(Promise);
    await succeed();
    expect(await Promise.all(waiting)).toEqual([pageNumber(2), pageNumber(2)]);
  });
});

describe("a page whose rendering fails", () => {
  test("is served stale up to its maximum age", async () => {
    const { page, failures, at, succeed, fail } = cachedPage();
    page.get();
    await succeed();
    at(130);
    const waiting = page.get();
    await fail();
    expect(await waiting).toEqual(pageNumber(1));
    at(599);
    const last = page.get();
    await fail();
    expect([await last, page.get()]).toEqual([pageNumber(1), pageNumber(1)]);
    at(600);
    expect(page.get()).toBe(nothing);
    at(605);
    const later = page.get();
    await fail();
    expect([await later, failures]).toEqual([nothing, ["broken", "broken", "broken"]]);
  });

  test("without a cached page is left to the application", async () => {
    const { page, begun, at, fail, succeed } = cachedPage();
    const first = page.get();
    at(1);
    await fail();
    expect(await first).toBe(nothing);
    at(5);
    expect([page.get(), begun()]).toEqual([nothing, 1]);
    at(6);
    const next = page.get();
    expect(begun()).toBe(2);
    await succeed();
    expect(await next).toEqual(pageNumber(2));
  });
});
