/**
 * Limits how many requests the application works on at once (hardening C38, R15). The rest waits in a queue for each network, and
 * next is the network that had the fewest turns since nobody waited (fair queueing): whoever floods the server waits behind their
 * own flood, and somebody who comes for the first time behind nobody else's. Beyond `WAITING` the newest request of the longest queue is shed, pages before forms before operators.
 */

/**
 * How many requests may run, this one included, for it to begin. One thread does the work: more at once makes all of them slower and
 * none faster. Forms are many, because what they store is committed together. What only forms or operators may take keeps them
 * going while all others wait for something, such as the database.
 */
export const PLACES = { page: 4, form: 16, operator: 20 } as const;
/** What the application answers within a second or two. */
export const WAITING = 200;
/** Of the places, for one network. */
const NETWORK_PLACES = PLACES.operator / 4;
/** Of how many networks it is known what they had; then all are equal again, so that new ones fill no memory. */
const MOST_NETWORKS = 10_000;
/** An event loop that lags for long has too much to do already, whatever waits. */
const LAG_MS = 200;
const WAITING_WHEN_LAGGING = WAITING / 10;
/** How many turns of the event loop may bring requests before the next one begins all the same. */
const MOST_TURNS = 20;

/** In the order they are served; shed in the opposite one. */
export const PRIORITIES = ["operator", "form", "page"] as const;
export type Priority = keyof typeof PLACES;

export interface Ticket {
  readonly priority: Priority;
  /** Whose turn it takes: `limitKey` of the client's address. */
  readonly network: string;
  /** Whether the network may hold a quarter of the places at most; false for a peer that may be a proxy for everybody. */
  readonly isLimited: boolean;
  /** Aborts when the client leaves, so that nothing is done for nobody. */
  readonly signal: AbortSignal;
}

/** Gives the place back; calling it again does nothing. */
export type Leave = () => void;

interface QueuedRequest extends Ticket {
  /** Undefined: shed, or the client has left. */
  readonly settle: (leave: Leave | undefined) => void;
}

export class ConcurrencyLimiter {
  readonly #lagMs: () => number;
  /** Longest waiting first; at most `WAITING` and the places there are. */
  readonly #queue: QueuedRequest[] = [];
  readonly #runningByNetwork = new Map<string, number>();
  /** How many turns each network had since nobody waited. */
  readonly #turns = new Map<string, number>();
  #running = 0;
  #isScheduled = false;
  /** Whether a request came since the last turn of the event loop. */
  #hasArrived = false;
  /** Turns of the event loop since the last request began. */
  #turnsSinceStart = 0;

  /** @param lagMs how late the event loop lastingly is, in milliseconds. */
  constructor(lagMs: () => number) {
    this.#lagMs = lagMs;
  }

  /** How many requests the application works on. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * Waits for a place.
   * @returns what to call when the work is done; undefined when the request was shed or its client has left.
   */
  enter(ticket: Ticket): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      if (ticket.signal.aborted) return resolve(undefined);
      const cancel = () => this.#remove(queued);
      const settle = (leave: Leave | undefined) => {
        ticket.signal.removeEventListener("abort", cancel);
        resolve(leave);
      };
      const queued: QueuedRequest = { ...ticket, settle };
      ticket.signal.addEventListener("abort", cancel, { once: true });
      this.#queue.push(queued);
      this.#hasArrived = true;
      const most = this.#lagMs() > LAG_MS ? WAITING_WHEN_LAGGING : WAITING;
      // Whoever may run is about to, and sheds nobody.
      const about = this.#mayRun(ticket) ? PLACES[ticket.priority] - this.#running : 0;
      while (this.waiting > most + about) this.#shed();
      this.#schedule();
    });
  }

  #mayRun({ priority, network, isLimited }: Ticket): boolean {
    if (this.#running >= PLACES[priority]) return false;
    return !isLimited || (this.#runningByNetwork.get(network) ?? 0) < NETWORK_PLACES;
  }

  #start({ network }: Ticket): Leave {
    this.#running += 1;
    if (this.#turns.size >= MOST_NETWORKS) this.#turns.clear();
    this.#turns.set(network, (this.#turns.get(network) ?? 0) + 1);
    this.#runningByNetwork.set(network, (this.#runningByNetwork.get(network) ?? 0) + 1);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.#running -= 1;
      const others = (this.#runningByNetwork.get(network) ?? 1) - 1;
      if (others === 0) this.#runningByNetwork.delete(network);
      else this.#runningByNetwork.set(network, others);
      if (this.waiting === 0) this.#turns.clear();
      this.#schedule();
    };
  }

  /**
   * One request begins at a time, once a turn of the event loop brought no other. What came in one turn would otherwise be answered
   * in one, up to the last of a flood, while probes wait. And Node accepts one connection in a turn: with a page in each, new ones
   * would wait as long as the pages take.
   */
  #schedule(): void {
    if (this.#isScheduled || this.waiting === 0) return;
    this.#isScheduled = true;
    setImmediate(this.#startNext);
  }

  readonly #startNext = (): void => {
    this.#isScheduled = false;
    this.#turnsSinceStart += 1;
    if (this.#hasArrived && this.#turnsSinceStart < MOST_TURNS) {
      this.#hasArrived = false;
      return this.#schedule();
    }
    this.#turnsSinceStart = 0;
    for (const priority of PRIORITIES) {
      const ready = this.#queue.filter((queued) => queued.priority === priority && this.#mayRun(queued));
      const [next] = ready.toSorted((a, b) => this.#getTurns(a) - this.#getTurns(b));
      if (!next) continue;
      this.#takeOut(next);
      next.settle(this.#start(next));
      return this.#schedule();
    }
  };

  #getTurns({ network }: Ticket): number {
    return this.#turns.get(network) ?? 0;
  }

  #shed(): void {
    for (const priority of PRIORITIES.toReversed()) {
      const queued = this.#queue.filter((each) => each.priority === priority);
      const queues = [...Map.groupBy(queued, ({ network }) => network).values()];
      const [longest] = queues.toSorted((a, b) => b.length - a.length);
      const last = longest?.at(-1);
      if (last) return this.#remove(last);
    }
  }

  #remove(queued: QueuedRequest): void {
    if (this.#takeOut(queued)) queued.settle(undefined);
  }

  /** @returns false when it does not wait any more. */
  #takeOut(queued: QueuedRequest): boolean {
    const index = this.#queue.indexOf(queued);
    if (index >= 0) this.#queue.splice(index, 1);
    return index >= 0;
  }
}

/** These cost next to nothing: express.static answers them before the application, or they are redirects. */
const FILE = /^\/static\/|^\/[^/]+\.(?!data$)[a-z0-9]+$/;
/** Whoever tries to log in gives us nothing yet, and waits for the check of a password. */
const LOGIN = /^\/login(?:[./]|$)/;

/**
 * @param path RequestTarget.path.
 * @param hasSession whether a session cookie with a good signature came along.
 * @returns undefined for what never waits.
 */
export function getPriority(method: string, path: string, hasSession: boolean): Priority | undefined {
  if (FILE.test(path)) return undefined;
  if (hasSession) return "operator";
  return method === "POST" && !LOGIN.test(path) ? "form" : "page";
}
