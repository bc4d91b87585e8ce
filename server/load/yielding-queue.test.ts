import { expect, test } from "vitest";
import { YieldingQueue } from "./yielding-queue.ts";

test("runs queued work in order, a few in each turn", () => {
  const callbacks: (() => void)[] = [];
  const queue = new YieldingQueue(2, (run) => callbacks.push(run));
  const done: number[] = [];
  for (const number of [1, 2, 3, 4, 5]) queue.add(() => done.push(number));
  expect({ done: [...done], callbacks: callbacks.length }).toEqual({ done: [], callbacks: 1 });
  callbacks.shift()?.();
  expect(done).toEqual([1, 2]);
  queue.add(() => done.push(6));
  while (callbacks.length > 0) callbacks.shift()?.();
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
});

test("schedules a turn for work that is added after the last one", () => {
  const callbacks: (() => void)[] = [];
  const queue = new YieldingQueue(2, (run) => callbacks.push(run));
  let runs = 0;
  for (const index of [1, 2, 3]) {
    queue.add(() => (runs += 1));
    callbacks.shift()?.();
    expect(runs).toBe(index);
  }
});
