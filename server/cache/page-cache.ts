import type { KeptAnswer } from "./cached-response.ts";

/** How long a rendering is good for, in milliseconds. */
export interface Ages {
  /** Until then it is served as it is; later the next visitor sets off a new rendering. */
  readonly freshMs: number;
  /** Until then visitors get the old one meanwhile; later they wait, so that nobody gets last hour's page. */
  readonly staleMs: number;
  /** While renderings fail the old one stands in until then. */
  readonly lastResortMs: number;
  /** After a failed rendering the next one waits this long. */
  readonly retryMs: number;
}

export const AGES: Ages = { freshMs: 60_000, staleMs: 120_000, lastResortMs: 600_000, retryMs: 5_000 };

export interface KeptPageParts {
  /** Rejects when there is no complete page. */
  readonly render: () => Promise<KeptAnswer>;
  readonly failed: (error: unknown) => void;
  readonly ages: Ages;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** A page rendered once for many, once a minute at most, by one rendering at a time. */
export class KeptPage {
  readonly #parts: KeptPageParts;
  #kept: KeptAnswer | undefined;
  #renderedAt = -Infinity;
  #failedAt = -Infinity;
  #rendering: Promise<KeptAnswer | undefined> | undefined;

  constructor(parts: KeptPageParts) {
    this.#parts = parts;
  }

  /** @returns undefined, at once or later, when there is nothing to serve: the application answers itself. */
  get(): KeptAnswer | undefined | Promise<KeptAnswer | undefined> {
    const { freshMs, staleMs } = this.#parts.ages;
    const age = this.#parts.now() - this.#renderedAt;
    if (age < freshMs) return this.#kept;
    const rendering = this.refresh();
    return age < staleMs ? this.#kept : (rendering ?? this.#lastResort());
  }

  /** Renders, unless that is under way or has just failed; then there is nothing to wait for. */
  refresh(): Promise<KeptAnswer | undefined> | undefined {
    const { now, ages } = this.#parts;
    if (!this.#rendering && now() - this.#failedAt >= ages.retryMs) this.#rendering = this.#render();
    return this.#rendering;
  }

  async #render(): Promise<KeptAnswer | undefined> {
    // What a visitor changes while it is being rendered may be missing in it.
    const beganAt = this.#parts.now();
    try {
      this.#kept = await this.#parts.render();
      this.#renderedAt = beganAt;
      return this.#kept;
    } catch (error) {
      this.#failedAt = this.#parts.now();
      this.#parts.failed(error);
      return this.#lastResort();
    } finally {
      this.#rendering = undefined;
    }
  }

  #lastResort(): KeptAnswer | undefined {
    return this.#parts.now() - this.#renderedAt < this.#parts.ages.lastResortMs ? this.#kept : undefined;
  }
}
