import { expect, it } from "vitest";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import type { SetTimer } from "~/lib/set-timer";
import { ConnectionSlots } from "./connection-slots";

/** Timers that elapse when the test says so. */
function createTimers() {
  const timers = new Map<() => void, number>();
  const setTimer: SetTimer = (ms, callback) => {
    timers.set(callback, ms);
    return () => timers.delete(callback);
  };
  const elapse = (ms: number) => {
    for (const [callback, after] of [...timers]) {
      if (after !== ms) continue;
      timers.delete(callback);
      callback();
    }
  };
  return { setTimer, elapse, pending: () => timers.size };
}

/** Takes slots; tells how many of the calls have one. */
async function take(slots: ConnectionSlots, calls: number) {
  let taken = 0;
  const all = Array.from({ length: calls }, () => slots.take(5000).then(() => (taken += 1)));
  await Promise.resolve();
  const getTaken = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return taken;
  };
  return { getTaken, all };
}

it("admits as many callers as the pool has connections", async () => {
  const slots = new ConnectionSlots(2, createTimers().setTimer);
  const { getTaken } = await take(slots, 3);
  expect(await getTaken()).toBe(2);
  slots.free();
  expect(await getTaken()).toBe(3);
});

// R43
it("admits no more than the server allows, and one more each second", async () => {
  const { setTimer, elapse, pending } = createTimers();
  const slots = new ConnectionSlots(4, setTimer);
  slots.limit(2);
  const { getTaken } = await take(slots, 5);
  expect(await getTaken()).toBe(2);
  elapse(1000);
  expect(await getTaken()).toBe(3);
  slots.limit(2);
  slots.free();
  expect(await getTaken()).toBe(3);
  for (const _ of [1, 2, 3]) elapse(1000);
  expect(await getTaken()).toBe(5);
  expect(pending()).toBe(0);
});

// R43
it("lets one caller try when the server has no connection at all", async () => {
  const slots = new ConnectionSlots(4, createTimers().setTimer);
  slots.limit(0);
  const { getTaken } = await take(slots, 2);
  expect(await getTaken()).toBe(1);
});

it("refuses a caller who waited too long, and keeps the place of the others", async () => {
  const { setTimer, elapse } = createTimers();
  const slots = new ConnectionSlots(1, setTimer);
  await slots.take(5000);
  const late = slots.take(5000);
  late.catch(() => undefined);
  elapse(5000);
  await expect(late).rejects.toThrow("No database connection was free for 5000 ms");
  await expect(late).rejects.toSatisfy(isDatabaseUnavailable);
  const next = slots.take(5000);
  slots.free();
  await next;
});
