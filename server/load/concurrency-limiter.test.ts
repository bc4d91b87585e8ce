import { beforeEach, describe, expect, test } from "vitest";
import {
  ConcurrencyLimiter,
  getPriority,
  type Leave,
  RESERVED_PAGES,
  type Ticket,
} from "./concurrency-limiter.ts";

let lagMs: number;
let limiter: ConcurrencyLimiter;
beforeEach(() => {
  lagMs = 0;
  limiter = new ConcurrencyLimiter(() => lagMs);
});

/** Enters with a page's ticket, changed by `changes`, and records the outcome. */
function enter(changes: Partial<Ticket> = {}) {
  const entered: { state: "waiting" | "running" | "shed"; hasLeft: boolean; leave: Leave } = {
    state: "waiting",
    hasLeft: false,
    leave: () => {},
  };
  const ticket = {
    priority: "page",
    network: "a",
    isLimited: false,
    signal: new AbortController().signal,
    site: changes.network ?? "a",
    ...changes,
  } as const;
  void limiter.enter(ticket).then((leave) => {
    entered.state = leave ? "running" : "shed";
    if (!leave) return;
    entered.leave = () => {
      entered.hasLeft = true;
      leave();
    };
  });
  return entered;
}
const many = (count: number, changes?: Partial<Ticket>) =>
  Array.from({ length: count }, () => enter(changes));
const operatorsOfDifferentSites = (count: number) =>
  Array.from({ length: count }, (_, index) => enter({ priority: "operator", network: `operator ${index}` }));
/** Lets all promises settle. */
const settled = async () => {
  for (let loopTurn = 0; loopTurn < 40; loopTurn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
};
const countStates = (entered: readonly { state: string }[]) => {
  const byState = Object.entries(Object.groupBy(entered, ({ state }) => state));
  return Object.fromEntries(byState.map(([state, some]) => [state, some?.length]));
};

// C38, R15
describe("the concurrency limiter", () => {
  test("runs 4 pages, queues 200 and sheds the rest at once", async () => {
    const entered = many(300);
    await settled();
    expect(countStates(entered)).toEqual({ running: 4, waiting: 200, shed: 96 });
    expect([limiter.running, limiter.waiting]).toEqual([4, 200]);
  });

  test("starts one request for each place released, also when it is released twice", async () => {
    const entered = many(6);
    await settled();
    entered[0]?.leave();
    entered[0]?.leave();
    await settled();
    expect(countStates(entered)).toEqual({ running: 5, waiting: 1 });
    expect(limiter.running).toBe(4);
  });

  test("starts operators first, then forms, then pages", async () => {
    // From a site each: one site's operators hold at most 5 places, and pages have 2 of their own.
    const running = [...operatorsOfDifferentSites(20), ...many(RESERVED_PAGES)];
    await settled();
    const page = enter();
    const form = enter({ priority: "form" });
    const operator = enter({ priority: "operator" });
    const order: string[][] = [];
    for (const count of [3, 5, 13]) {
      for (const { leave } of running.splice(0, count)) leave();
      await settled();
      order.push([page.state, form.state, operator.state]);
    }
    expect(order).toEqual([
      ["waiting", "waiting", "running"],
      ["waiting", "running", "running"],
      ["running", "running", "running"],
    ]);
  });

  // C40
  test("starts pages before logins, but passes those over three times at most", async () => {
    const running = many(4);
    await settled();
    const logins = many(4, { priority: "login", network: "b" });
    const pages = many(8, { network: "c" });
    const order: string[] = [];
    while (order.length < 8) {
      running.shift()?.leave();
      await settled();
      const started = [...logins, ...pages].find(
        (each) => each.state === "running" && !running.includes(each),
      );
      if (!started) throw new Error("Nothing started");
      order.push(logins.includes(started) ? "login" : "page");
      running.push(started);
    }
    expect(order).toEqual(["page", "page", "page", "login", "page", "page", "page", "login"]);
  });

  // C40
  test("sheds the newest of the site with the most pages and logins", async () => {
    many(4);
    await settled();
    const login = enter({ priority: "login", network: "b" });
    const pages = many(300, { network: "c" });
    await settled();
    expect([login.state, countStates(pages)]).toEqual(["waiting", { waiting: 199, shed: 101 }]);
  });

  // C40
  test("sheds the newest of a site, be it a page or a login", async () => {
    many(4);
    await settled();
    const login = enter({ priority: "login", network: "c" });
    const pages = many(250, { network: "c" });
    const late = enter({ priority: "login", network: "c" });
    await settled();
    expect([login.state, pages[0]?.state, late.state]).toEqual(["waiting", "waiting", "shed"]);
    expect(countStates(pages)).toEqual({ waiting: 199, shed: 51 });
  });

  test("reserves places for forms and operators", async () => {
    const pages = many(20);
    await settled();
    const forms = many(20, { priority: "form" });
    await settled();
    const operators = many(20, { priority: "operator" });
    await settled();
    expect([countStates(pages), countStates(forms), countStates(operators)]).toEqual([
      { running: 4, waiting: 16 },
      { running: 12, waiting: 8 },
      { running: 4, waiting: 16 },
    ]);
  });

  test("sheds pages first, then forms, then operators", async () => {
    operatorsOfDifferentSites(20);
    await settled();
    const pages = many(100);
    const forms = many(100, { priority: "form" });
    const operators = operatorsOfDifferentSites(150);
    await settled();
    expect([countStates(pages), countStates(forms), countStates(operators)]).toEqual([
      { shed: 100 },
      { waiting: 50, shed: 50 },
      { waiting: 150 },
    ]);
  });

  test("queues only a tenth while the event loop lags", async () => {
    lagMs = 201;
    const entered = many(100);
    await settled();
    expect(countStates(entered)).toEqual({ running: 4, waiting: 20, shed: 76 });
    lagMs = 200;
    const more = many(100);
    await settled();
    expect(countStates(more)).toEqual({ waiting: 100 });
  });
});

// R15
test("an operator's request that may run sheds no visitor's, however many wait", async () => {
  const visitors = many(16 + 200, { priority: "form" });
  await settled();
  const operator = enter({ priority: "operator" });
  await settled();
  expect([countStates(visitors), operator.state]).toEqual([{ running: 16, waiting: 200 }, "running"]);
});

// C38, R15
test("waits for arriving requests, for at most 20 turns", async () => {
  const first = enter();
  const states: string[] = [];
  for (let loopTurn = 0; loopTurn < 30; loopTurn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    enter();
    states.push(first.state);
  }
  expect([states.at(0), states.at(15), states.at(-1)]).toEqual(["waiting", "waiting", "running"]);
});

// C47
describe("operators of one site", () => {
  test("hold at most a quarter of the places, also behind a proxy", async () => {
    const operators = many(30, { priority: "operator", network: "office" });
    const others = many(2, { priority: "operator", network: "home" });
    await settled();
    expect([countStates(operators), countStates(others)]).toEqual([
      { running: 5, waiting: 25 },
      { running: 2 },
    ]);
  });

  test("leave places for visitors' pages and forms", async () => {
    const operators = many(30, { priority: "operator", network: "office" });
    await settled();
    const pages = many(5, { network: "visitor" });
    const form = enter({ priority: "form", network: "visitor" });
    await settled();
    expect([countStates(pages), form.state]).toEqual([
      { running: RESERVED_PAGES, waiting: 5 - RESERVED_PAGES },
      "running",
    ]);
    operators.find(({ state }) => state === "running")?.leave();
    pages.find(({ state }) => state === "running")?.leave();
    await settled();
    expect(countStates(pages)).toEqual({ running: 3, waiting: 2 });
  });
});

// C47
test("operators of one site fill a quarter of the queue before visitors are shed", async () => {
  many(RESERVED_PAGES);
  many(5, { priority: "operator", network: "office" });
  await settled();
  const operators = many(220, { priority: "operator", network: "office" });
  const pages = many(100, { network: "visitor" });
  await settled();
  expect([countStates(operators), countStates(pages)]).toEqual([
    { waiting: 100, shed: 120 },
    { waiting: 100 },
  ]);
});

// C46, C47
test("forms and operators that leave at once let every fourth page start", async () => {
  const others = [...many(40, { priority: "form" }), ...operatorsOfDifferentSites(40)];
  const pages = many(10, { network: "visitor" });
  let starts = 0;
  while (pages.some(({ state }) => state === "waiting") && starts < 100) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const each of [...others, ...pages]) {
      if (each.state !== "running" || each.hasLeft) continue;
      each.leave();
      starts += 1;
    }
  }
  expect(countStates(pages)).toEqual({ running: 10 });
  expect(starts).toBeLessThanOrEqual(44);
});

// C46
describe("a request that returns from a wait", () => {
  const ticketOf = (changes: Partial<Ticket> = {}): Ticket => ({
    priority: "page",
    network: "a",
    site: "a",
    isLimited: false,
    signal: new AbortController().signal,
    ...changes,
  });

  test("has a place at once where there is one", async () => {
    const leave = await limiter.return(ticketOf());
    expect(limiter.running).toBe(1);
    leave();
    expect(limiter.running).toBe(0);
  });

  test("comes before new requests, and is never shed", async () => {
    const running = many(4);
    await settled();
    const earlier = many(200);
    let hasReturned = false;
    void limiter.return(ticketOf()).then(() => (hasReturned = true));
    const newest = enter();
    await settled();
    expect([hasReturned, newest.state]).toEqual([false, "shed"]);
    running[0]?.leave();
    await settled();
    expect([hasReturned, countStates(earlier)]).toEqual([true, { waiting: 200 }]);
  });

  test("takes no place when its client has left, or leaves meanwhile", async () => {
    await limiter.return(ticketOf({ signal: AbortSignal.abort() }));
    many(4);
    await settled();
    const leaving = new AbortController();
    const returned = limiter.return(ticketOf({ signal: leaving.signal }));
    leaving.abort();
    (await returned)();
    expect(limiter.running).toBe(4);
  });
});

// C38, C49
describe("fair queueing by site and network", () => {
  test("starts a request of another site next, however many networks a site has", async () => {
    const running = many(4, { network: "other", site: "other" });
    await settled();
    const flood = Array.from({ length: 150 }, (_, index) =>
      enter({ network: `flood ${index}`, site: "flood" }),
    );
    for (const { leave } of running) leave();
    await settled();
    const visitor = enter({ network: "visitor", site: "visitor" });
    await settled();
    flood.find(({ state }) => state === "running")?.leave();
    await settled();
    expect(visitor.state).toBe("running");
  });

  test("sheds the newest of a site with many networks, not a visitor's", async () => {
    many(4, { network: "other" });
    await settled();
    const flood = Array.from({ length: 200 }, (_, index) =>
      enter({ network: `flood ${index}`, site: "flood" }),
    );
    const visitor = enter({ network: "visitor" });
    await settled();
    expect([visitor.state, countStates(flood)]).toEqual(["waiting", { waiting: 199, shed: 1 }]);
  });

  test("starts the network that started the fewest within a site", async () => {
    const first = many(4, { network: "busy", site: "site" });
    await settled();
    const busy = enter({ network: "busy", site: "site" });
    const idle = enter({ network: "idle", site: "site" });
    first[0]?.leave();
    await settled();
    expect([busy.state, idle.state]).toEqual(["waiting", "running"]);
  });

  test.each([1, 50])(
    "starts a new network's request next, despite a flood from %i networks",
    async (networks) => {
      const flood = Array.from({ length: 150 }, (_, index) =>
        enter({ network: `flood ${index % networks}` }),
      );
      // Each has had a turn.
      for (let round = 0; round < 30; round += 1) {
        await settled();
        for (const each of flood) if (each.state === "running" && !each.hasLeft) each.leave();
      }
      await settled();
      const visitor = enter({ network: "visitor" });
      await settled();
      const [one] = flood.filter(({ state, hasLeft }) => state === "running" && !hasLeft);
      one?.leave();
      await settled();
      expect(visitor.state).toBe("running");
    },
  );

  test("starts requests in separate turns of the event loop", async () => {
    const entered = many(20);
    await settled();
    for (const { leave } of entered.slice(0, 4)) leave();
    expect(limiter.running).toBe(0);
    await settled();
    expect(limiter.running).toBe(4);
  });

  test("sheds the newest request of the longest queue", async () => {
    many(4, { network: "other" });
    await settled();
    const flood = many(200, { network: "flood" });
    const visitor = enter({ network: "visitor" });
    await settled();
    expect([visitor.state, flood.at(-1)?.state, countStates(flood)]).toEqual([
      "waiting",
      "shed",
      { waiting: 199, shed: 1 },
    ]);
  });

  test("limits a network that is no proxy to a quarter of the places", async () => {
    const flood = many(10, { priority: "form", network: "flood", isLimited: true });
    const visitor = enter({ priority: "form", network: "visitor", isLimited: true });
    await settled();
    expect([countStates(flood), visitor.state]).toEqual([{ running: 5, waiting: 5 }, "running"]);
    flood[0]?.leave();
    await settled();
    expect(countStates(flood)).toEqual({ running: 6, waiting: 4 });
  });
});

// C38
test("removes the request of a client that leaves before or while it waits", async () => {
  const gone = enter({ signal: AbortSignal.abort() });
  many(4);
  const leaving = new AbortController();
  const left = enter({ signal: leaving.signal });
  await settled();
  leaving.abort();
  await settled();
  expect([gone.state, left.state, limiter.waiting]).toEqual(["shed", "shed", 0]);
});

test.each([
  ["GET", "/early-access", false, "page"],
  ["GET", "/early-access.data", false, "page"],
  ["HEAD", "/", false, "page"],
  ["GET", "/administration", false, "page"],
  ["POST", "/early-access", false, "form"],
  ["POST", "/unsubscribe/x.y", false, "form"],
  ["GET", "/early-access", true, "operator"],
  ["GET", "/admin", false, "page"],
  ["GET", "/admin/dashboard.data", true, "operator"],
  ["POST", "/login", false, "login"],
  ["POST", "/login/second-factor", false, "login"],
  ["POST", "/loginx", false, "form"],
  ["POST", "/login.data", false, "login"],
])("%s %s, with a session: %s, has the priority %s", (method, path, hasSession, priority) =>
  expect(getPriority(method, path, hasSession)).toBe(priority),
);
