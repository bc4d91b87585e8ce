import { v7 } from "uuid";
import { expect, it } from "vitest";
import { isUuid, leastUuidAt, timeOfUuid } from "./uuid";

it("an id lies between the least ones of its millisecond and of the next", () => {
  const at = Date.UTC(2026, 10, 21);
  const id = v7({ msecs: at });
  expect([leastUuidAt(at + 1), id, leastUuidAt(at)].sort()).toEqual([
    leastUuidAt(at),
    id,
    leastUuidAt(at + 1),
  ]);
  expect(timeOfUuid(id)).toBe(at);
  expect(isUuid(leastUuidAt(at))).toBe(true);
  expect(isUuid(leastUuidAt(0))).toBe(true);
});
