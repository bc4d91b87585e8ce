import { expect, test } from "vitest";
import { LoopDelay } from "./event-loop-lag.ts";

function delays(found: readonly number[]) {
  let time = 0;
  const delay = new LoopDelay(() => time);
  for (const late of found) {
    time += 100 + late;
    delay.look();
  }
  return delay.lasting();
}

test.each([
  ["nothing", [], 0],
  ["one long stall", [0, 0, 5000, 0, 0], 0],
  ["four of five", [300, 300, 300, 300], 0],
  ["an overload", [300, 250, 400, 900, 300], 250],
  ["an overload that is over", [300, 300, 300, 300, 300, 2], 2],
])("%s is a lasting delay of what all looks found", (_, found, lasting) =>
  expect(delays(found)).toBe(lasting),
);
