/**
 * Limits how many requests the application works on at once (hardening C38, R15). The rest waits in a queue for each network, and
 * the networks take turns (fair queueing): whoever floods the server waits behind their own flood, everybody else behind one
 * request of each flood. Beyond `WAITING` the newest request of the longest queue is shed, pages before forms before operators.
 */

/**
 * How many requests may run, this one included, for it to begin. One thread does the work: more at once makes all of them slower and
 * none faster. What only forms or operators may take keeps them going while all others wait for something, such as the database.
 */
export const PLACES = { page: 16, form: 24, operator: 32 } as const;
/** What the application answers within a second or two. */
export const WAITING = 200;
/** Of the places, for one network. */
const NETWORK_PLACES = PLACES.operator / 4;
/** An event loop that lags for long has too much to do already, whatever waits. */
const LAG_MS = 200;
const WAITING_WHEN_LAGGING = WAITING / 10;

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

interface Waiting extends Ticket {
  /** Undefined: shed, or the client has left. */
  readonly settle: (leave: Leave | undefined) => void;
}

export class ConcurrencyLimiter {
  readonly #lagMs: () => number;
  /** For each priority, the queues by network in the order of their turns. */
  readonly #queues = new Map<Priority, Map<string, Waiting[]>>(
    PRIORITIES.map((priority) => [priority, new Map()]),
  );
  readonly #runningByNetwork = new Map<string, number>();
  #running = 0;
  #waiting = 0;

  /** @param lagMs how late the event loop lastingly is, in milliseconds. */
  constructor(lagMs: () => number) {
    this.#lagMs = lagMs;
  }

  /** How many requests the application works on. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits for a place.
   * @returns what to call when the work is done; undefined when the request was shed or its client has left.
   */
  enter(ticket: Ticket): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      if (ticket.signal.aborted) return resolve(undefined);
      if (this.#mayRun(ticket)) return resolve(this.#start(ticket));
      const cancel = () => this.#remove(waiting);
      const settle = (leave: Leave | undefined) => {
        ticket.signal.removeEventListener("abort", cancel);
        resolve(leave);
      };
      const waiting: Waiting = { ...ticket, settle };
      ticket.signal.addEventListener("abort", cancel, { once: true });
      this.#queueOf(waiting).push(waiting);
      this.#waiting += 1;
      const most = this.#lagMs() > LAG_MS ? WAITING_WHEN_LAGGING : WAITING;
      while (this.#waiting > most) this.#shed();
    });
  }

  #mayRun({ priority, network, isLimited }: Ticket): boolean {
    if (this.#running >= PLACES[priority]) return false;
    return !isLimited || (this.#runningByNetwork.get(network) ?? 0) < NETWORK_PLACES;
  }

  #start({ network }: Ticket): Leave {
    this.#running += 1;
    this.#runningByNetwork.set(network, (this.#runningByNetwork.get(network) ?? 0) + 1);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.#running -= 1;
      const others = (this.#runningByNetwork.get(network) ?? 1) - 1;
      if (others === 0) this.#runningByNetwork.delete(network);
      else this.#runningByNetwork.set(network, others);
      this.#startNext();
    };
  }

  #startNext(): void {
    for (const queues of this.#queues.values()) {
      for (const [network, queue] of queues) {
        const [first] = queue;
        if (!first || !this.#mayRun(first)) continue;
        queue.shift();
        this.#waiting -= 1;
        // To the end of the turns.
        queues.delete(network);
        if (queue.length > 0) queues.set(network, queue);
        return first.settle(this.#start(first));
      }
    }
  }

  #shed(): void {
    for (const priority of PRIORITIES.toReversed()) {
      const queues = [...(this.#queues.get(priority)?.values() ?? [])];
      const longest = queues.reduce<Waiting[]>((a, b) => (b.length > a.length ? b : a), []);
      const last = longest.at(-1);
      if (last) return this.#remove(last);
    }
  }

  #remove(waiting: Waiting): void {
    const queue = this.#queueOf(waiting);
    const index = queue.indexOf(waiting);
    if (index < 0) return;
    queue.splice(index, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#queues.get(waiting.priority)?.delete(waiting.network);
    waiting.settle(undefined);
  }

  #queueOf({ priority, network }: Ticket): Waiting[] {
    const queues = this.#queues.get(priority) ?? new Map<string, Waiting[]>();
    const queue = queues.get(network) ?? [];
    queues.set(network, queue);
    return queue;
  }
}

/** These cost next to nothing: express.static answers them before the application, or they are redirects. */
const FILE = /^\/static\/|^\/[^/]+\.(?!data$)[a-z0-9]+$/;
const BACK_OFFICE = /^\/(?:admin|login|logout)(?:[./]|$)/;

/**
 * @param path RequestTarget.path.
 * @param hasSession whether a session cookie with a good signature came along.
 * @returns undefined for what never waits.
 */
export function getPriority(method: string, path: string, hasSession: boolean): Priority | undefined {
  if (FILE.test(path)) return undefined;
  if (hasSession) return "operator";
  // Somebody about to work here; without a session they are a stranger still.
  return method === "POST" || BACK_OFFICE.test(path) ? "form" : "page";
}
