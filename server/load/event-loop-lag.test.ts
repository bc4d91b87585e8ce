import { expect, test } from "vitest";
import { EventLoopLag } from "./event-loop-lag.ts";

function getLag(found: readonly number[]) {
  let time = 0;
  const lag = new EventLoopLag(() => time);
  for (const late of found) {
    time += 100 + late;
    lag.sample();
  }
  return lag.lasting();
}

test.each([
  ["nothing", [], 0],
  ["one long stall", [0, 0, 5000, 0, 0], 0],
  ["four of five", [300, 300, 300, 300], 0],
  ["an overload", [300, 250, 400, 900, 300], 250],
  ["an overload that is over", [300, 300, 300, 300, 300, 2], 2],
])("%s: the lasting lag is the minimum of the samples", (_, found, lasting) =>
  expect(getLag(found)).toBe(lasting),
);
