import type { ServerResponse } from "node:http";
import type { ConcurrencyLimiter, Leave, Priority, Ticket } from "./concurrency-limiter.ts";
import type { Dependency, DependencyWaits } from "./dependency-waits.ts";

/** Ends a wait; resolves when the request has a place again. */
export type EndWait = () => Promise<void>;

export interface PlaceDeps {
  readonly limiter: Pick<ConcurrencyLimiter, "enter" | "return">;
  readonly waits: DependencyWaits;
}

/**
 * A request's place in the concurrency limiter, from its first wait in the queue to its response's end. It is held
 * while the request works, and given back while it waits for a dependency (hardening C46).
 */
export class Place {
  readonly #deps: PlaceDeps;
  readonly #ticket: Ticket | undefined;
  /** Set while the place is held. */
  #leave: Leave | undefined;
  #isOver = false;
  #isKept = false;
  #isShed = false;
  /** Waits that have not ended; loaders of one request run side by side. */
  #waits = 0;
  #hasWaited = false;
  #returning: Promise<void> | undefined;

  /** @param ticket undefined for a request that costs next to nothing: its place is not counted. */
  constructor(deps: PlaceDeps, ticket: Ticket | undefined) {
    this.#deps = deps;
    this.#ticket = ticket;
  }

  /** Says whether the request was turned away, from the queue or from a dependency that too many wait for. */
  get isShed(): boolean {
    return this.#isShed;
  }

  get priority(): Priority | undefined {
    return this.#ticket?.priority;
  }

  /** Waits in the queue. @returns false when the request was shed, or its client has left. */
  async enter(): Promise<boolean> {
    if (!this.#ticket) return true;
    this.#leave = await this.#deps.limiter.enter(this.#ticket);
    this.#isShed = !this.#leave && !this.#ticket.signal.aborted;
    return this.#leave !== undefined;
  }

  /** Keeps the place until the response ends or the client leaves: sending buffered data is no work. */
  keepUntilEnd(response: ServerResponse): void {
    this.#isKept = true;
    const end = response.end.bind(response) as (...chunk: unknown[]) => ServerResponse;
    response.end = (...chunk: unknown[]) => {
      this.leave();
      return end(...chunk);
    };
    response.once("close", this.leave);
  }

  leaveUnlessKept(): void {
    if (!this.#isKept) this.leave();
  }

  /** Leaves for good: the response has ended, only waits for its client, or the client is gone. */
  readonly leave = (): void => {
    this.#isOver = true;
    this.#giveBack();
  };

  /**
   * Gives the place back while the request waits for a dependency.
   * @returns the function that ends the wait; undefined when too many wait already, and the request must end. A
   *   write is refused only before the request's first wait, while nothing is done that has to be recorded.
   */
  startWait(dependency: Dependency): EndWait | undefined {
    const { waits } = this.#deps;
    // A response that has ended, and work that outlives it, hold no place.
    if (this.#isOver || !this.#ticket) return async () => undefined;
    const mayBeShed = dependency !== "database" || !this.#hasWaited;
    if (mayBeShed && waits.isFull(dependency, this.#ticket)) {
      this.#isShed = true;
      return undefined;
    }
    const end = waits.start(dependency, this.#ticket);
    this.#hasWaited = true;
    this.#waits += 1;
    this.#giveBack();
    return async () => {
      end();
      this.#waits -= 1;
      await (this.#returning ??= this.#return().finally(() => (this.#returning = undefined)));
    };
  }

  async #return(): Promise<void> {
    if (this.#isOver || this.#leave || !this.#ticket) return;
    this.#leave = await this.#deps.limiter.return(this.#ticket);
    // The client left meanwhile.
    if (this.#isOver) return this.#giveBack();
    // Nothing says when the loader that goes on is done, and another one still waits.
    if (this.#waits > 0) setImmediate(() => this.#waits > 0 && this.#giveBack());
  }

  #giveBack(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}
