import { v7 } from "uuid";
import { expect, it } from "vitest";
import { isUuid, getLeastUuid, getUuidTime } from "./uuid";

it("an id is between the lowest ones of its millisecond and of the next", () => {
  const at = Date.UTC(2026, 10, 21);
  const id = v7({ msecs: at });
  expect([getLeastUuid(at + 1), id, getLeastUuid(at)].sort()).toEqual([
    getLeastUuid(at),
    id,
    getLeastUuid(at + 1),
  ]);
  expect(getUuidTime(id)).toBe(at);
  expect(isUuid(getLeastUuid(at))).toBe(true);
  expect(isUuid(getLeastUuid(0))).toBe(true);
});
