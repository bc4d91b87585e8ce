import type { CachedResponse } from "./cached-response.ts";

/** Lifetimes of a cached page, in milliseconds. */
export const AGES = {
  /** Up to this age the page is served as it is; after that the next request starts a new rendering. */
  freshMs: 60_000,
  /** Up to this age requests get the stale page while it is rendered again; after that they wait. */
  staleWhileRevalidateMs: 120_000,
  /** Up to this age the stale page is served while renderings fail. */
  staleIfErrorMs: 600_000,
  /** The delay after a failed rendering before the next attempt. */
  retryMs: 5_000,
};

interface PageCacheDeps {
  /** Renders the page; rejects when it is incomplete. */
  readonly render: () => Promise<CachedResponse>;
  readonly onError: (error: unknown) => void;
  readonly ages: Readonly<typeof AGES>;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** Caches one rendered page: at most one rendering a minute, and one at a time. */
export class PageCache {
  readonly #deps: PageCacheDeps;
  #response: CachedResponse | undefined;
  #renderedAt = -Infinity;
  #failedAt = -Infinity;
  #rendering: Promise<CachedResponse | undefined> | undefined;

  constructor(deps: PageCacheDeps) {
    this.#deps = deps;
  }

  /** @returns undefined, synchronously or not, when nothing is cached: the application answers. */
  get(): CachedResponse | undefined | Promise<CachedResponse | undefined> {
    const { freshMs, staleWhileRevalidateMs } = this.#deps.ages;
    const age = this.#deps.now() - this.#renderedAt;
    if (age < freshMs) return this.#response;
    const rendering = this.refresh();
    return age < staleWhileRevalidateMs ? this.#response : (rendering ?? this.#getStaleIfError());
  }

  /** Starts a rendering or joins the one under way; undefined during the delay after a failure. */
  refresh(): Promise<CachedResponse | undefined> | undefined {
    const { now, ages } = this.#deps;
    if (!this.#rendering && now() - this.#failedAt >= ages.retryMs) this.#rendering = this.#render();
    return this.#rendering;
  }

  async #render(): Promise<CachedResponse | undefined> {
    // The age counts from the start: changes made during the rendering may be missing in it.
    const beganAt = this.#deps.now();
    try {
      this.#response = await this.#deps.render();
      this.#renderedAt = beganAt;
      return this.#response;
    } catch (error) {
      this.#failedAt = this.#deps.now();
      this.#deps.onError(error);
      return this.#getStaleIfError();
    } finally {
      this.#rendering = undefined;
    }
  }

  #getStaleIfError(): CachedResponse | undefined {
    return this.#deps.now() - this.#renderedAt < this.#deps.ages.staleIfErrorMs ? this.#response : undefined;
  }
}
