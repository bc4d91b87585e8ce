import type { CachedResponse } from "./cached-response.ts";

/** How long a rendering is good for, in milliseconds. */
export interface Ages {
  /** Until then it is served as it is; later the next visitor sets off a new rendering. */
  readonly freshMs: number;
  /** Until then visitors get the old one meanwhile; later they wait, so that nobody gets last hour's page. */
  readonly staleWhileRevalidateMs: number;
  /** While renderings fail the old one stands in until then. */
  readonly staleIfErrorMs: number;
  /** After a failed rendering the next one waits this long. */
  readonly retryMs: number;
}

export const AGES: Ages = {
  freshMs: 60_000,
  staleWhileRevalidateMs: 120_000,
  staleIfErrorMs: 600_000,
  retryMs: 5_000,
};

export interface PageCacheDeps {
  /** Rejects when there is no complete page. */
  readonly render: () => Promise<CachedResponse>;
  readonly failed: (error: unknown) => void;
  readonly ages: Ages;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** A page rendered once for many, once a minute at most, by one rendering at a time. */
export class PageCache {
  readonly #deps: PageCacheDeps;
  #response: CachedResponse | undefined;
  #renderedAt = -Infinity;
  #failedAt = -Infinity;
  #rendering: Promise<CachedResponse | undefined> | undefined;

  constructor(deps: PageCacheDeps) {
    this.#deps = deps;
  }

  /** @returns undefined, at once or later, when there is nothing to serve: the application answers itself. */
  get(): CachedResponse | undefined | Promise<CachedResponse | undefined> {
    const { freshMs, staleWhileRevalidateMs } = this.#deps.ages;
    const age = this.#deps.now() - this.#renderedAt;
    if (age < freshMs) return this.#response;
    const rendering = this.refresh();
    return age < staleWhileRevalidateMs ? this.#response : (rendering ?? this.#getStaleIfError());
  }

  /** Renders, unless that is under way or has just failed; then there is nothing to wait for. */
  refresh(): Promise<CachedResponse | undefined> | undefined {
    const { now, ages } = this.#deps;
    if (!this.#rendering && now() - this.#failedAt >= ages.retryMs) this.#rendering = this.#render();
    return this.#rendering;
  }

  async #render(): Promise<CachedResponse | undefined> {
    // What a visitor changes while it is being rendered may be missing in it.
    const beganAt = this.#deps.now();
    try {
      this.#response = await this.#deps.render();
      this.#renderedAt = beganAt;
      return this.#response;
    } catch (error) {
      this.#failedAt = this.#deps.now();
      this.#deps.failed(error);
      return this.#getStaleIfError();
    } finally {
      this.#rendering = undefined;
    }
  }

  #getStaleIfError(): CachedResponse | undefined {
    return this.#deps.now() - this.#renderedAt < this.#deps.ages.staleIfErrorMs ? this.#response : undefined;
  }
}
