import { expect, it } from "vitest";
import { parseNarrowing } from "~/services/audiences/narrowing";
import { readNarrowing } from "./narrowing";

const read = (fields: Record<string, string>) => readNarrowing(new URLSearchParams(fields), "Europe/Berlin");

it.each([
  ["1500", 1500],
  ["1,500", 1500],
  ["1.500", 1500],
  ["1 500", 1500],
  ["100,000", 100_000],
])("reads %j as the number of people %i", (limit, count) => {
  const narrowing = read({ limit });
  expect(narrowing.ok && parseNarrowing(narrowing.narrowing).limit).toBe(count);
});

it.each(["0", "1.5", "2,50", "-3", "100,001", "many"])("refuses %j as a number of people", (limit) => {
  expect(read({ limit })).toMatchObject({ ok: false, errors: { limit: /.+/ } });
});
