import { expect, it } from "vitest";
import { createOpeningBursts } from "./opening-bursts";

it("three links from one network within a minute are a burst, one link many times is none", () => {
  const bursts = createOpeningBursts();
  const none = { isBurst: false, newInBurst: [] };
  expect(bursts.add("a", "1", 0)).toEqual(none);
  expect(bursts.add("a", "1", 1)).toEqual(none);
  expect(bursts.add("b", "2", 2)).toEqual(none);
  expect(bursts.add("a", "2", 3)).toEqual(none);
  expect(bursts.add("a", "3", 4)).toEqual({ isBurst: true, newInBurst: ["1", "2", "3"] });
  expect(bursts.add("a", "2", 5)).toEqual({ isBurst: true, newInBurst: [] });
  expect(bursts.add("a", "4", 6)).toEqual({ isBurst: true, newInBurst: ["4"] });
  expect(bursts.add("a", "4", 60_005)).toEqual(none);
});

it("remembers a bounded number of networks and links", () => {
  const bursts = createOpeningBursts();
  bursts.add("first", "1", 0);
  bursts.add("first", "2", 0);
  for (let n = 0; n < 10_000; n += 1) bursts.add(`network ${n}`, "1", 0);
  expect(bursts.add("first", "3", 0).isBurst).toBe(false);
  for (let n = 0; n < 200; n += 1) bursts.add("one", `${n}`, 0);
  expect(bursts.add("one", "199", 0).newInBurst).toEqual([]);
  expect(bursts.add("one", "0", 0).newInBurst).toEqual(["0"]);
});
