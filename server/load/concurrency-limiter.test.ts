import { beforeEach, describe, expect, test } from "vitest";
import { ConcurrencyLimiter, getPriority, type Leave, type Ticket } from "./concurrency-limiter.ts";

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
/** Lets all promises settle. */
const settled = async () => {
  for (let loopTurn = 0; loopTurn < 40; loopTurn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
};
const countStates = (entered: readonly { state: string }[]) => {
  const byState = Object.entries(Object.groupBy(entered, ({ state }) => state));
  return Object.fromEntries(byState.map(([state, some]) => [state, some?.length]));
};

describe("the concurrency limiter (C38, R15)", () => {
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
    const running = many(20, { priority: "operator" });
    await settled();
    const page = enter();
    const form = enter({ priority: "form" });
    const operator = enter({ priority: "operator" });
    const order: string[][] = [];
    for (const count of [1, 5, 13]) {
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
    many(20, { priority: "operator" });
    await settled();
    const pages = many(100);
    const forms = many(100, { priority: "form" });
    const operators = many(150, { priority: "operator" });
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

test("an operator's request that may run sheds no visitor's, however many wait (R15)", async () => {
  const visitors = many(16 + 200, { priority: "form" });
  await settled();
  const operator = enter({ priority: "operator" });
  await settled();
  expect([countStates(visitors), operator.state]).toEqual([{ running: 16, waiting: 200 }, "running"]);
});

test("waits for arriving requests before it starts one, for at most 20 turns of the event loop (C38, R15)", async () => {
  const first = enter();
  const states: string[] = [];
  for (let loopTurn = 0; loopTurn < 30; loopTurn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    enter();
    states.push(first.state);
  }
  expect([states.at(0), states.at(15), states.at(-1)]).toEqual(["waiting", "waiting", "running"]);
});

describe("fair queueing by network (C38)", () => {
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

test("removes the request of a client that leaves before or while it waits (C38)", async () => {
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
  ["POST", "/login", false, "page"],
  ["POST", "/login/second-factor", false, "page"],
  ["POST", "/loginx", false, "form"],
  ["POST", "/login.data", false, "page"],
  ["GET", "/static/assets/root-1a2b.js", false, undefined],
  ["GET", "/favicon.ico", false, undefined],
])("%s %s, with a session: %s, has the priority %s", (method, path, hasSession, priority) =>
  expect(getPriority(method, path, hasSession)).toBe(priority),
);
