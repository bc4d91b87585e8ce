import { expect, it } from "vitest";
import { csvLine } from "./csv";
import { readCsv } from "./read-csv";

it.each([
  ["a,b\r\nc\r\n", [["a", "b"], ["c"]]],
  ["a,b\nc", [["a", "b"], ["c"]]],
  ["\ufeffid\n1\n", [["id"], ["1"]]],
  ['"a, b","c ""d""","e\nf"\n', [["a, b", 'c "d"', "e\nf"]]],
  ['"a"\r"b"\r', [["a"], ["b"]]],
  ["a,\nb", [["a", ""], ["b"]]],
  ["a,", [["a", ""]]],
  [",b\n", [["", "b"]]],
  ["a\n\nb", [["a"], [""], ["b"]]],
  ['a "quoted" b,c\n', [['a "quoted" b', "c"]]],
  ['"never closed,c\n', [['"never closed', "c"]]],
  ["", []],
])("reads %j", (text, records) => {
  expect(readCsv(text)).toEqual(records);
});

it("reads what csvLine writes", () => {
  const cells = ['say "hi"', "a,b", "two\r\nlines", ""];
  expect(readCsv(csvLine(cells))).toEqual([cells]);
});

it("reads a cell of any length (C37)", () => {
  const cell = "a".repeat(30_000_000);
  expect(readCsv(`"${cell}"\n`)[0]?.[0]?.length).toBe(cell.length);
});
