import { expect, test } from "vitest";
import { ConcurrencyLimiter, PLACES, type Ticket } from "./concurrency-limiter.ts";
import { type Dependency, DependencyWaits, MOST_WAITS } from "./dependency-waits.ts";
import { Place } from "./place.ts";

function setUp() {
  const limiter = new ConcurrencyLimiter(() => 0);
  const waits = new DependencyWaits();
  const leaving = new AbortController();
  const create = (changes: Partial<Ticket> = {}) =>
    new Place(
      { limiter, waits },
      { priority: "page", network: "a", site: "a", isLimited: false, signal: leaving.signal, ...changes },
    );
  const enter = async (changes?: Partial<Ticket>) => {
    const place = create(changes);
    expect(await place.enter()).toBe(true);
    return place;
  };
  return { limiter, waits, leaving, create, enter };
}

/** Fills a dependency with requests that wait. */
async function fill({ enter }: ReturnType<typeof setUp>, dependency: Dependency, count: number) {
  for (let index = 0; index < count; index += 1) (await enter({ site: `${index}` })).startWait(dependency);
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

// C46
test("a request holds no place while it waits, and has one again afterwards", async () => {
  const { limiter, waits, enter } = setUp();
  const place = await enter();
  const endWait = place.startWait("mail-server");
  expect([limiter.running, waits.count("mail-server")]).toEqual([0, 1]);
  await endWait?.();
  expect([limiter.running, waits.count("mail-server")]).toEqual([1, 0]);
  place.leave();
  expect(limiter.running).toBe(0);
});

// C46
test("it goes on only when there is a place", async () => {
  const { limiter, enter } = setUp();
  const place = await enter();
  const endWait = place.startWait("platform");
  const others = await Promise.all(Array.from({ length: PLACES.page }, () => enter()));
  let goesOn = false;
  void endWait?.().then(() => (goesOn = true));
  await nextTurn();
  expect([goesOn, limiter.running]).toEqual([false, PLACES.page]);
  others[0]?.leave();
  await nextTurn();
  await nextTurn();
  expect([goesOn, limiter.running]).toEqual([true, PLACES.page]);
});

// C46
test("one of two waits side by side takes the place for a turn only", async () => {
  const { limiter, enter } = setUp();
  const place = await enter();
  const [first, second] = [place.startWait("platform"), place.startWait("database")];
  await first?.();
  expect(limiter.running).toBe(1);
  await nextTurn();
  expect(limiter.running).toBe(0);
  await second?.();
  await nextTurn();
  expect(limiter.running).toBe(1);
});

// C46
test("waits that end at the same moment take one place", async () => {
  const { limiter, enter } = setUp();
  const place = await enter();
  const waits = [place.startWait("platform"), place.startWait("platform")];
  await Promise.all(waits.map((endWait) => endWait?.()));
  expect(limiter.running).toBe(1);
});

// C46
test("a response that has ended takes no place after its last wait", async () => {
  const { limiter, waits, enter } = setUp();
  const place = await enter();
  const endWait = place.startWait("database");
  place.leave();
  await endWait?.();
  expect([limiter.running, waits.count("database")]).toEqual([0, 0]);
  await place.startWait("database")?.();
  expect(limiter.running).toBe(0);
});

// C46
test("a client that leaves while waiting again leaves no place", async () => {
  const { limiter, leaving, enter } = setUp();
  const place = await enter();
  const endWait = place.startWait("platform");
  const stays = new AbortController().signal;
  for (let index = 0; index < PLACES.page; index += 1) await enter({ signal: stays });
  const ended = endWait?.();
  leaving.abort();
  place.leave();
  await ended;
  expect(limiter.running).toBe(PLACES.page);
});

// C46
test("too many waits for one dependency refuse the next, and none of another", async () => {
  const parts = setUp();
  await fill(parts, "mail-server", MOST_WAITS["mail-server"]);
  const refused = await parts.enter();
  expect([refused.startWait("mail-server"), refused.isShed]).toEqual([undefined, true]);
  const other = await parts.enter();
  expect([typeof other.startWait("platform"), other.isShed]).toEqual(["function", false]);
  const operator = await parts.enter({ priority: "operator" });
  expect(typeof operator.startWait("mail-server")).toBe("function");
});

// C46
test("one site waits in half of the places, unless it may be a proxy", async () => {
  const { enter } = setUp();
  const half = MOST_WAITS.platform / 2;
  const wait = async (site: string, isLimited: boolean) =>
    (await enter({ site, isLimited })).startWait("platform") !== undefined;
  for (let index = 0; index < half; index += 1) expect(await wait("flood", true)).toBe(true);
  expect(await wait("flood", true)).toBe(false);
  expect([await wait("visitor", true), await wait("flood", false)]).toEqual([true, true]);
});

// C46
test("a write is refused only before a request's first wait", async () => {
  const parts = setUp();
  const sent = await parts.enter();
  await sent.startWait("mail-server")?.();
  sent.startWait("mail-server");
  await fill(parts, "database", MOST_WAITS.database);
  expect((await parts.enter()).startWait("database")).toBeUndefined();
  expect(typeof sent.startWait("database")).toBe("function");
});

test("a request whose place is not counted waits without limit", async () => {
  const { limiter, waits } = setUp();
  const place = new Place({ limiter, waits }, undefined);
  expect(await place.enter()).toBe(true);
  await place.startWait("database")?.();
  expect([limiter.running, waits.count("database")]).toEqual([0, 0]);
});
