import { expect, test } from "vitest";
import { hintAtOrder, needsOrder, parseDate, tellOrder } from "./import-dates";

const at = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts);

test.each([
  ["2024-03-04", "", at(2024, 2, 4)],
  ["2024-03-04 10:11:12", "", at(2024, 2, 4, 10, 11, 12)],
  ["2024-03-04T10:11:12.345Z", "", at(2024, 2, 4, 10, 11, 12)],
  ["2024-03-04T10:11:12+02:00", "", at(2024, 2, 4, 8, 11, 12)],
  ["2024-03-04 10:11:12 UTC", "", at(2024, 2, 4, 10, 11, 12)],
  ["2024/3/4", "", at(2024, 2, 4)],
  ["03/04/2024", "mdy", at(2024, 2, 4)],
  ["03/04/2024", "dmy", at(2024, 3, 3)],
  ["3.4.2024 09:05", "dmy", at(2024, 3, 3, 9, 5)],
  ["3/4/2024 12:05 AM", "mdy", at(2024, 2, 4, 0, 5)],
  ["3/4/2024 1:05 pm", "mdy", at(2024, 2, 4, 13, 5)],
  ["4 Mar 2024", "", at(2024, 2, 4)],
  ["March 4, 2024 10:11 pm", "", at(2024, 2, 4, 22, 11)],
  ["04/04/2024", "", at(2024, 3, 4)],
  ["4/04/2024", "", at(2024, 3, 4)],
  ["1709546400", "", at(2024, 2, 4, 10)],
  ["1709546400000", "", at(2024, 2, 4, 10)],
] as const)("reads %s (%s)", (text, order, time) => {
  expect(parseDate(text, order)).toBe(time);
});

test.each([
  ["03/04/2024", ""],
  ["31/02/2024", "dmy"],
  ["31/01/2024", "mdy"],
  ["2024-13-01", ""],
  ["2024-03-04 25:00", ""],
  ["13:00 2024", ""],
  ["4 Foo 2024", ""],
  ["soon", ""],
  ["", ""],
  ["9".repeat(100_000), ""],
] as const)("does not read %s (%s)", (text, order) => {
  expect(parseDate(text, order)).toBeUndefined();
});

test.each([
  [["2024-03-04", ""], false, undefined],
  [["4/04/2024"], false, undefined],
  [["03/04/2024", "04/04/2024"], true, undefined],
  [["03/04/2024", "31/12/2024"], true, "dmy"],
  [["03/04/2024", "12/31/2024"], true, "mdy"],
  [["31/12/2024", "12/31/2024"], true, undefined],
])("%s needs an order: %s, and tells %s", (cells, needed, told) => {
  const hints = { dmy: 0, mdy: 0, both: 0 };
  for (const cell of cells) hintAtOrder(hints, cell);
  expect([needsOrder(hints), tellOrder(hints)]).toEqual([needed, told]);
});
