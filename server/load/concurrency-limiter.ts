/**
 * Limits how many requests the application works on at once (hardening C38, R15). The rest waits in one queue per
 * network, and the next request comes from the network that started the fewest since the queues were last empty
 * (fair queueing): a flood delays its own network, never a client that comes for the first time. Beyond `WAITING`
 * the newest request of the longest queue is shed: pages before forms before operators.
 */

/**
 * The most requests that may run for one of this priority to start: more at once makes all slower. Forms get
 * more, because their writes are committed together; the rest is reserved while pages wait.
 */
export const PLACES = { page: 4, form: 16, operator: 20 } as const;
/** The queue's length: as many requests as the application answers within a second or two. */
export const WAITING = 200;
/** The places that one network may hold. */
const NETWORK_PLACES = PLACES.operator / 4;
/** Beyond this many networks all counts are reset, so that new ones cannot exhaust the memory. */
const MOST_NETWORKS = 10_000;
/** Above this lasting event loop lag the server is overloaded, however short the queue. */
const LAG_MS = 200;
const WAITING_WHEN_LAGGING = WAITING / 10;
/** The most turns of the event loop that wait for arriving requests before the next one starts. */
const MOST_TURNS = 20;

/** In the order in which they are served. */
export const PRIORITIES = ["operator", "form", "page"] as const;
const SHED_FIRST = PRIORITIES.toReversed();
export type Priority = keyof typeof PLACES;

export interface Sender {
  /** The key of fair queueing: `limitKey` of the client's address. */
  readonly network: string;
  /** Says whether the network is limited to its share (a quarter of the places); false for a possible proxy. */
  readonly isLimited: boolean;
}

export interface Ticket extends Sender {
  readonly priority: Priority;
  /** Aborts when the client leaves; the request then leaves the queue. */
  readonly signal: AbortSignal;
}

/** Releases the place; calling it again does nothing. */
export type Leave = () => void;

interface QueuedRequest extends Ticket {
  /** Counts the requests that came before it. */
  readonly arrival: number;
  /** Called with undefined when the request was shed or its client has left. */
  readonly settle: (leave: Leave | undefined) => void;
}

export class ConcurrencyLimiter {
  readonly #lagMs: () => number;
  /** By network, longest waiting first; together at most `WAITING` and the places there are. */
  readonly #queues: Record<Priority, Map<string, QueuedRequest[]>> = {
    page: new Map(),
    form: new Map(),
    operator: new Map(),
  };
  #waiting = 0;
  #arrivals = 0;
  readonly #runningByNetwork = new Map<string, number>();
  /** The number of requests that each network has started since the queue was last empty. */
  readonly #turns = new Map<string, number>();
  #running = 0;
  #isScheduled = false;
  /** Says whether a request arrived since the last turn of the event loop. */
  #hasArrived = false;
  /** Turns of the event loop since the last request started. */
  #turnsSinceStart = 0;

  /** @param lagMs returns the lasting event loop lag, in milliseconds. */
  constructor(lagMs: () => number) {
    this.#lagMs = lagMs;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for a place. @returns the function that releases it; undefined when shed, or when the client left. */
  enter(ticket: Ticket): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      if (ticket.signal.aborted) return resolve(undefined);
      const cancel = () => this.#remove(queued);
      const settle = (leave: Leave | undefined) => {
        ticket.signal.removeEventListener("abort", cancel);
        resolve(leave);
      };
      const queued: QueuedRequest = { ...ticket, settle, arrival: (this.#arrivals += 1) };
      ticket.signal.addEventListener("abort", cancel, { once: true });
      this.#add(queued);
      this.#hasArrived = true;
      const most = this.#lagMs() > LAG_MS ? WAITING_WHEN_LAGGING : WAITING;
      // A request that may run starts shortly, and sheds nobody.
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
   * Starts one request at a time, once a turn of the event loop brought no other. The requests of one turn would
   * otherwise be answered in one turn, up to the last of a flood, while probes wait. Node also accepts one
   * connection a turn: with a page rendered in each, new connections would wait as long as the pages take.
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
      const next = this.#findNext(priority);
      if (!next) continue;
      this.#takeOut(next);
      next.settle(this.#start(next));
      return this.#schedule();
    }
  };

  /** Returns the request whose network started the fewest, the one that waits longest among equals. */
  #findNext(priority: Priority): QueuedRequest | undefined {
    let next: QueuedRequest | undefined;
    for (const [first] of this.#queues[priority].values()) {
      if (first && this.#mayRun(first) && (!next || this.#isBefore(first, next))) next = first;
    }
    return next;
  }

  #isBefore(one: QueuedRequest, other: QueuedRequest): boolean {
    const difference = this.#getTurns(one) - this.#getTurns(other);
    return difference === 0 ? one.arrival < other.arrival : difference < 0;
  }

  #getTurns({ network }: Ticket): number {
    return this.#turns.get(network) ?? 0;
  }

  #shed(): void {
    for (const priority of SHED_FIRST) {
      let longest: readonly QueuedRequest[] = [];
      for (const queue of this.#queues[priority].values()) if (queue.length > longest.length) longest = queue;
      const last = longest.at(-1);
      if (last) return this.#remove(last);
    }
  }

  #add(queued: QueuedRequest): void {
    const queues = this.#queues[queued.priority];
    const queue = queues.get(queued.network);
    if (queue) queue.push(queued);
    else queues.set(queued.network, [queued]);
    this.#waiting += 1;
  }

  #remove(queued: QueuedRequest): void {
    if (this.#takeOut(queued)) queued.settle(undefined);
  }

  /** @returns false when the request is not in the queue. */
  #takeOut(queued: QueuedRequest): boolean {
    const queues = this.#queues[queued.priority];
    const queue = queues.get(queued.network) ?? [];
    const index = queue.lastIndexOf(queued);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(queued.network);
    this.#waiting -= 1;
    return true;
  }
}

/** Requests that cost next to nothing: redirects, and files that express.static answers before the application. */
const FILE = /^\/static\/|^\/[^/]+\.(?!data$)[a-z0-9]+$/;
/** A login has the priority of a page: it stores nothing, and waits for the check of a password anyway. */
const LOGIN = /^\/login(?:[./]|$)/;

/** @returns undefined for requests that never wait. @param path RequestTarget.path. */
export function getPriority(method: string, path: string, hasSession: boolean): Priority | undefined {
  if (FILE.test(path)) return undefined;
  if (hasSession) return "operator";
  return method === "POST" && !LOGIN.test(path) ? "form" : "page";
}
