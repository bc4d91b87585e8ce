import { expect, test } from "vitest";
import { YieldingQueue } from "./yielding-queue.ts";

test("runs queued work in order, a few in each turn", () => {
  const turns: (() => void)[] = [];
  const queue = new YieldingQueue(2, (run) => turns.push(run));
  const done: number[] = [];
  for (const number of [1, 2, 3, 4, 5]) queue.add(() => done.push(number));
  expect({ done: [...done], turns: turns.length }).toEqual({ done: [], turns: 1 });
  turns.shift()?.();
  expect(done).toEqual([1, 2]);
  queue.add(() => done.push(6));
  while (turns.length > 0) turns.shift()?.();
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
});

test("schedules a turn for work that is added after the last one", () => {
  const turns: (() => void)[] = [];
  const queue = new YieldingQueue(2, (run) => turns.push(run));
  let runs = 0;
  for (const turn of [1, 2, 3]) {
    queue.add(() => (runs += 1));
    turns.shift()?.();
    expect(runs).toBe(turn);
  }
});
