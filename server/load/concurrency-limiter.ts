/**
 * Limits how many requests the application works on at once (hardening C38, R15). The rest waits in one queue per
 * site, and the next request comes from the site that started the fewest since the queues were last empty (fair
 * queueing), within it from the network that did: a flood delays its own site, never a client that comes for the
 * first time. Beyond `WAITING` the newest request of the longest queue is shed: pages before forms before operators.
 */

/**
 * The most requests that may run for one of this priority to start: more at once makes all slower. Forms get
 * more, because they read and write less than a page.
 */
export const PLACES = { page: 4, form: 16, operator: 20 } as const;
/** Pages that may run whatever else does: the operators of one site cannot take all places (hardening C47). */
export const RESERVED_PAGES = 2;
/** The queue's length: as many requests as the application answers within a second or two. */
export const WAITING = 200;
/** The part of the queue in which operators of one site come before visitors; beyond it they are shed first (C47). */
const SITE_OPERATORS_WAITING = WAITING / 4;
/** The places that one site may hold. */
const SITE_PLACES = PLACES.operator / 4;
/** Beyond this many networks all counts are reset, so that new ones cannot exhaust the memory. */
const MOST_NETWORKS = 10_000;
/** Above this lasting event loop lag the server is overloaded, however short the queue. */
const LAG_MS = 200;
const WAITING_WHEN_LAGGING = WAITING / 10;
/** The most starts that pass over a priority whose requests wait: whoever comes first does not take everything. */
const MOST_PASSED_OVER = 3;
/** The most turns of the event loop that wait for arriving requests before the next one starts. */
const MOST_TURNS = 20;

/** In the order in which they are served, three of four times. */
export const PRIORITIES = ["operator", "form", "page"] as const;
const SHED_FIRST = PRIORITIES.toReversed();
export type Priority = keyof typeof PLACES;

export interface Sender {
  /** `getNetwork` of the client's address. */
  readonly network: string;
  /** `getSite` of the client's address: the key of fair queueing. */
  readonly site: string;
  /** Says whether the site is limited to its share (a quarter of the places); false for a possible proxy. */
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
  /** By site, longest waiting first; together at most `WAITING` and the places there are. */
  readonly #queues: Record<Priority, Map<string, QueuedRequest[]>> = {
    page: new Map(),
    form: new Map(),
    operator: new Map(),
  };
  #waiting = 0;
  #arrivals = 0;
  /** Requests that had a place before and wait for one again, longest first. They are never shed. */
  readonly #returning: Record<Priority, QueuedRequest[]> = { page: [], form: [], operator: [] };
  readonly #runningBySite = new Map<string, number>();
  /** The number of requests that each site and each network has started since the queue was last empty. */
  readonly #turns = { bySite: new Map<string, number>(), byNetwork: new Map<string, number>() };
  /** How often each priority was passed over in a row, though a request of it could have started. */
  readonly #passedOver: Record<Priority, number> = { page: 0, form: 0, operator: 0 };
  #running = 0;
  #runningPages = 0;
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
      const about = this.#mayRun(ticket) ? Math.max(1, PLACES[ticket.priority] - this.#running) : 0;
      while (this.waiting > most + about) this.#shed();
      this.#schedule();
    });
  }

  /**
   * Gives a place back to a request that has had one and waited for something else meanwhile. It is never shed, comes
   * before new requests of its priority, and is no turn of its site. A client that leaves ends the wait.
   */
  async return(ticket: Ticket): Promise<Leave> {
    if (this.#returning[ticket.priority].length === 0 && this.#mayRun(ticket)) return this.#start(ticket);
    const leave = await new Promise<Leave | undefined>((resolve) => {
      if (ticket.signal.aborted) return resolve(undefined);
      const returning = this.#returning[ticket.priority];
      const cancel = () => {
        returning.splice(returning.indexOf(queued), 1);
        resolve(undefined);
      };
      const settle = (leave: Leave | undefined) => {
        ticket.signal.removeEventListener("abort", cancel);
        resolve(leave);
      };
      const queued: QueuedRequest = { ...ticket, settle, arrival: (this.#arrivals += 1) };
      ticket.signal.addEventListener("abort", cancel, { once: true });
      returning.push(queued);
      this.#schedule();
    });
    return leave ?? (() => undefined);
  }

  #mayRun(ticket: Ticket): boolean {
    const { priority, isLimited } = ticket;
    const isReserved = priority === "page" && this.#runningPages < RESERVED_PAGES;
    if (this.#running >= PLACES[priority] && !isReserved) return false;
    // Operators come first, so their site's share holds even where it may be a proxy.
    return !(isLimited || priority === "operator") || this.#countRunning(ticket) < SITE_PLACES;
  }

  /** Counts the running requests of the site, operators and others apart. */
  #countRunning(ticket: Ticket): number {
    return this.#runningBySite.get(getShareKey(ticket)) ?? 0;
  }

  #countTurn({ site, network }: Ticket): void {
    const { bySite, byNetwork } = this.#turns;
    if (byNetwork.size >= MOST_NETWORKS) this.#forgetTurns();
    bySite.set(site, (bySite.get(site) ?? 0) + 1);
    byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1);
  }

  #forgetTurns(): void {
    this.#turns.bySite.clear();
    this.#turns.byNetwork.clear();
  }

  #start(ticket: Ticket): Leave {
    const key = getShareKey(ticket);
    const pages = ticket.priority === "page" ? 1 : 0;
    this.#running += 1;
    this.#runningPages += pages;
    this.#runningBySite.set(key, this.#countRunning(ticket) + 1);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.#running -= 1;
      this.#runningPages -= pages;
      const others = this.#countRunning(ticket) - 1;
      if (others === 0) this.#runningBySite.delete(key);
      else this.#runningBySite.set(key, others);
      if (this.waiting === 0) this.#forgetTurns();
      this.#schedule();
    };
  }

  /**
   * Starts one request at a time, once a turn of the event loop brought no other. The requests of one turn would
   * otherwise be answered in one turn, up to the last of a flood, while probes wait. Node also accepts one
   * connection a turn: with a page rendered in each, new connections would wait as long as the pages take.
   */
  #schedule(): void {
    if (this.#isScheduled || (this.waiting === 0 && !this.#hasReturning())) return;
    this.#isScheduled = true;
    setImmediate(this.#startNext);
  }

  #hasReturning(): boolean {
    return PRIORITIES.some((priority) => this.#returning[priority].length > 0);
  }

  readonly #startNext = (): void => {
    this.#isScheduled = false;
    this.#turnsSinceStart += 1;
    if (this.#hasArrived && this.#turnsSinceStart < MOST_TURNS) {
      this.#hasArrived = false;
      return this.#schedule();
    }
    this.#turnsSinceStart = 0;
    const next = this.#takeNext();
    if (!next) return;
    next.settle(this.#start(next));
    this.#schedule();
  };

  /** Takes the next request out of its queue: by priority, unless a lower one was passed over too often. */
  #takeNext(): QueuedRequest | undefined {
    const ready = PRIORITIES.filter((priority) => this.#findReady(priority));
    const priority = ready.findLast((each) => this.#passedOver[each] >= MOST_PASSED_OVER) ?? ready[0];
    if (priority === undefined) return undefined;
    for (const each of PRIORITIES) {
      this.#passedOver[each] = ready.includes(each) && each !== priority ? this.#passedOver[each] + 1 : 0;
    }
    const next = this.#findReady(priority);
    if (next) this.#takeReady(next);
    return next;
  }

  #findReady(priority: Priority): QueuedRequest | undefined {
    return this.#returning[priority].find((queued) => this.#mayRun(queued)) ?? this.#findNext(priority);
  }

  #takeReady(queued: QueuedRequest): void {
    const returning = this.#returning[queued.priority];
    const index = returning.indexOf(queued);
    if (index >= 0) return void returning.splice(index, 1);
    this.#takeOut(queued);
    this.#countTurn(queued);
  }

  /** Returns the request whose site and network started the fewest, the one that waits longest among equals. */
  #findNext(priority: Priority): QueuedRequest | undefined {
    let next: QueuedRequest | undefined;
    for (const queue of this.#queues[priority].values()) {
      // The places of one queue are those of one site.
      if (!queue[0] || !this.#mayRun(queue[0])) continue;
      for (const queued of queue) if (!next || this.#isBefore(queued, next)) next = queued;
    }
    return next;
  }

  #isBefore(one: QueuedRequest, other: QueuedRequest): boolean {
    const { bySite, byNetwork } = this.#turns;
    const getTurns = (turns: ReadonlyMap<string, number>, key: string) => turns.get(key) ?? 0;
    return (
      (getTurns(bySite, one.site) - getTurns(bySite, other.site) ||
        getTurns(byNetwork, one.network) - getTurns(byNetwork, other.network) ||
        one.arrival - other.arrival) < 0
    );
  }

  /** Sheds the newest request of the network that has the most waiting in the longest queue. */
  #shed(): void {
    const operators = this.#findLongestQueue("operator");
    const isFlood = operators.length > SITE_OPERATORS_WAITING;
    const queues = SHED_FIRST.map((priority) => this.#findLongestQueue(priority));
    const queue = isFlood ? operators : queues.find(({ length }) => length > 0);
    const networks = Map.groupBy(queue ?? [], ({ network }) => network).values();
    const last = [...networks].reduce((a, b) => (b.length > a.length ? b : a), []).at(-1);
    if (last) this.#remove(last);
  }

  #findLongestQueue(priority: Priority): readonly QueuedRequest[] {
    let longest: readonly QueuedRequest[] = [];
    for (const queue of this.#queues[priority].values()) if (queue.length > longest.length) longest = queue;
    return longest;
  }

  #add(queued: QueuedRequest): void {
    const queues = this.#queues[queued.priority];
    const queue = queues.get(queued.site);
    if (queue) queue.push(queued);
    else queues.set(queued.site, [queued]);
    this.#waiting += 1;
  }

  #remove(queued: QueuedRequest): void {
    if (this.#takeOut(queued)) queued.settle(undefined);
  }

  /** @returns false when the request is not in the queue. */
  #takeOut(queued: QueuedRequest): boolean {
    const queues = this.#queues[queued.priority];
    const queue = queues.get(queued.site) ?? [];
    const index = queue.lastIndexOf(queued);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(queued.site);
    this.#waiting -= 1;
    return true;
  }
}

const getShareKey = ({ site, priority }: Ticket) => (priority === "operator" ? `operator ${site}` : site);

/** A login has the priority of a page: it stores nothing, and waits for the check of a password anyway. */
const LOGIN = /^\/login(?:[./]|$)/;

/** @param path RequestTarget.path. */
export function getPriority(method: string, path: string, hasSession: boolean): Priority {
  if (hasSession) return "operator";
  return method === "POST" && !LOGIN.test(path) ? "form" : "page";
}
