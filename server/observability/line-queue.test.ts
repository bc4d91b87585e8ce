import { expect, test } from "vitest";
import { LineQueue } from "./line-queue.ts";

test("lines are taken in order, up to a number", () => {
  const queue = new LineQueue();
  for (const line of ["a\n", "b\n", "c\n"]) queue.push(line);
  expect(queue.take(2)).toEqual(["a", "b"]);
  queue.push("d\n");
  expect([queue.take(9), queue.take(9), queue.isEmpty]).toEqual([["c", "d"], [], true]);
});

// R26
test("a full queue keeps the oldest lines and counts dropped ones", () => {
  const queue = new LineQueue(8);
  for (const line of ["one\n", "two\n", "three\n", "four\n"]) queue.push(line);
  expect([queue.take(9), queue.takeDropped(), queue.takeDropped()]).toEqual([["one", "two"], 2, 0]);
  expect(queue.totalDropped).toBe(2);
  queue.push("five\n");
  expect(queue.take(9)).toEqual(["five"]);
});

test("a line of ten megabytes is cut, and the next one is not", () => {
  const queue = new LineQueue();
  queue.push(`${"x".repeat(10_000_000)}\n`);
  queue.push("next\n");
  expect(queue.take(9).map((line) => line.length)).toEqual([65_536, 4]);
});
