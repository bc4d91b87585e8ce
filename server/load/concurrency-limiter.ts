/**
 * Limits how many requests the application works on at once (hardening C38, R15). The rest waits, and the next request
 * comes from the site that started the fewest since nobody waited (fair queueing), within it from the network that
 * did: a flood delays its own site, never a client that comes for the first time. Beyond `WAITING` the newest request
 * of the site with the most is shed: pages and logins before forms before operators.
 */

/**
 * The most requests that may run for one of this priority to start: more at once makes all slower. Forms get
 * more, because they read and write less than a page.
 */
export const PLACES = { login: 4, page: 4, form: 16, operator: 20 } as const;
/** Pages that may run whatever else does: the operators of one site cannot take all places (hardening C47). */
export const RESERVED_PAGES = 2;
/** The queue's length: as many requests as the application answers within a second or two. */
const WAITING = 200;
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
export const PRIORITIES = ["operator", "form", "page", "login"] as const;
export type Priority = keyof typeof PLACES;
/** Logins share the fate of pages: a flood of pages sheds none of another site, nor one of logins a page. */
const SHED_FIRST: readonly (readonly Priority[])[] = [["page", "login"], ["form"], ["operator"]];

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
  /** It had a place before: it comes before new requests, is no turn of its site, and is never shed. */
  readonly isReturning: boolean;
  /** Of two requests, the one that arrived later has the higher number. */
  readonly arrival: number;
  /** Called with undefined when the request was shed or its client has left. */
  readonly settle: (leave: Leave | undefined) => void;
}

export class ConcurrencyLimiter {
  readonly #lagMs: () => number;
  /** In the order of their arrival. */
  readonly #queues: Record<Priority, QueuedRequest[]> = { login: [], page: [], form: [], operator: [] };
  /** New requests that wait: at most `WAITING` and the places there are. */
  #waiting = 0;
  #arrivals = 0;
  readonly #runningBySite = new Map<string, number>();
  /** The number of requests that each site and each network has started since the queue was last empty. */
  readonly #turns = { bySite: new Map<string, number>(), byNetwork: new Map<string, number>() };
  /** How often each priority was passed over in a row, though a request of it could have started. */
  readonly #passedOver: Record<Priority, number> = { login: 0, page: 0, form: 0, operator: 0 };
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
    const entered = this.#wait(ticket, false);
    this.#hasArrived = true;
    const most = this.#lagMs() > LAG_MS ? WAITING_WHEN_LAGGING : WAITING;
    // A request that may run starts shortly, and sheds nobody.
    const about = this.#mayRun(ticket) ? Math.max(1, PLACES[ticket.priority] - this.#running) : 0;
    while (this.waiting > most + about) this.#shed();
    return entered;
  }

  /**
   * Gives a place back to a request that has had one and waited for something else meanwhile. A client that leaves
   * ends the wait.
   */
  async return(ticket: Ticket): Promise<Leave> {
    const isFirst = !this.#queues[ticket.priority].some(({ isReturning }) => isReturning);
    if (isFirst && this.#mayRun(ticket)) return this.#start(ticket);
    return (await this.#wait(ticket, true)) ?? (() => undefined);
  }

  #wait(ticket: Ticket, isReturning: boolean): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      if (ticket.signal.aborted) return resolve(undefined);
      const cancel = () => this.#remove(queued);
      const settle = (leave: Leave | undefined) => {
        ticket.signal.removeEventListener("abort", cancel);
        resolve(leave);
      };
      this.#arrivals += 1;
      const queued: QueuedRequest = { ...ticket, isReturning, arrival: this.#arrivals, settle };
      ticket.signal.addEventListener("abort", cancel, { once: true });
      this.#queues[ticket.priority].push(queued);
      if (!isReturning) this.#waiting += 1;
      this.#schedule();
    });
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
    if (this.#isScheduled || PRIORITIES.every((priority) => this.#queues[priority].length === 0)) return;
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
    const next = this.#takeNext();
    if (!next) return;
    next.settle(this.#start(next));
    this.#schedule();
  };

  /** Takes the next request out of its queue: by priority, unless a lower one was passed over too often. */
  #takeNext(): QueuedRequest | undefined {
    const ready = PRIORITIES.flatMap((priority) => this.#findNext(priority) ?? []);
    const next = ready.findLast(({ priority }) => this.#passedOver[priority] >= MOST_PASSED_OVER) ?? ready[0];
    if (!next) return undefined;
    for (const priority of PRIORITIES) {
      const isPassedOver = priority !== next.priority && ready.some((each) => each.priority === priority);
      this.#passedOver[priority] = isPassedOver ? this.#passedOver[priority] + 1 : 0;
    }
    this.#takeOut(next);
    if (!next.isReturning) this.#countTurn(next);
    return next;
  }

  /** Returns the request that is to start next of those that may. */
  #findNext(priority: Priority): QueuedRequest | undefined {
    let next: QueuedRequest | undefined;
    for (const queued of this.#queues[priority]) {
      if ((!next || this.#isBefore(queued, next)) && this.#mayRun(queued)) next = queued;
    }
    return next;
  }

  /** Returns whether a request starts before one that arrived earlier: fewer turns of its site, then of its network. */
  #isBefore(one: QueuedRequest, earlier: QueuedRequest): boolean {
    if (one.isReturning || earlier.isReturning) return !earlier.isReturning;
    const { bySite, byNetwork } = this.#turns;
    const getTurns = (turns: ReadonlyMap<string, number>, key: string) => turns.get(key) ?? 0;
    return (
      (getTurns(bySite, one.site) - getTurns(bySite, earlier.site) ||
        getTurns(byNetwork, one.network) - getTurns(byNetwork, earlier.network)) < 0
    );
  }

  /** Sheds the newest request of the network that has the most waiting within the site that has. */
  #shed(): void {
    const operators = this.#findLargestSite(["operator"]);
    const isFlood = operators.length > SITE_OPERATORS_WAITING;
    const others = SHED_FIRST.map((priorities) => this.#findLargestSite(priorities));
    const site = isFlood ? operators : (others.find(({ length }) => length > 0) ?? []);
    const newest = findLargestGroup(site, ({ network }) => network).at(-1);
    if (newest) this.#remove(newest);
  }

  /** Returns the new requests of the site that has the most of these priorities waiting, in the order of their arrival. */
  #findLargestSite(priorities: readonly Priority[]): readonly QueuedRequest[] {
    const queued = priorities.flatMap((priority) => this.#queues[priority]);
    const arrived = queued
      .filter(({ isReturning }) => !isReturning)
      .sort((one, other) => one.arrival - other.arrival);
    return findLargestGroup(arrived, ({ site }) => site);
  }

  #remove(queued: QueuedRequest): void {
    if (this.#takeOut(queued)) queued.settle(undefined);
  }

  /** @returns false when the request is not in the queue. */
  #takeOut(queued: QueuedRequest): boolean {
    const queue = this.#queues[queued.priority];
    const index = queue.lastIndexOf(queued);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (!queued.isReturning) this.#waiting -= 1;
    return true;
  }
}

function findLargestGroup<Item>(items: readonly Item[], getKey: (item: Item) => string): readonly Item[] {
  const groups = [...Map.groupBy(items, getKey).values()];
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

const getShareKey = ({ site, priority }: Ticket) => (priority === "operator" ? `operator ${site}` : site);

/** A login comes after pages: it waits for the check of a password anyway, and guesses come in floods (hardening C40). */
const LOGIN = /^\/login(?:[./]|$)/;

/** @param path RequestTarget.path. */
export function getPriority(method: string, path: string, hasSession: boolean): Priority {
  if (hasSession) return "operator";
  if (method !== "POST") return "page";
  return LOGIN.test(path) ? "login" : "form";
}
