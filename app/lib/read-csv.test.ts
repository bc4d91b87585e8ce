import { expect, it } from "vitest";
import { csvLine } from "./csv";
import { readCsv } from "./read-csv";

const read = (text: string) => {
  const reading = readCsv(text);
  return reading.ok ? reading.records.map(({ cells, line }) => [line, ...cells]) : reading.line;
};

// R47
it.each([
  [
    "a,b\r\nc\r\n",
    [
      [1, "a", "b"],
      [2, "c"],
    ],
  ],
  [
    "a,b\nc",
    [
      [1, "a", "b"],
      [2, "c"],
    ],
  ],
  [
    "a\rb\n",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  [
    "\ufeffid\n1\n",
    [
      [1, "id"],
      [2, "1"],
    ],
  ],
  ['"a, b","c ""d""","e\nf"\n', [[1, "a, b", 'c "d"', "e\nf"]]],
  [
    '"a\r\nb"\r\nc\r\n',
    [
      [1, "a\nb"],
      [3, "c"],
    ],
  ],
  [
    "a,\nb",
    [
      [1, "a", ""],
      [2, "b"],
    ],
  ],
  ["a,", [[1, "a", ""]]],
  [",b\n", [[1, "", "b"]]],
  [
    "a\n\n,\nb",
    [
      [1, "a"],
      [4, "b"],
    ],
  ],
  ['a "quoted" b,c\n', [[1, 'a "quoted" b', "c"]]],
  ['"a" ,"b"c\n', [[1, '"a" ', '"b"c']]],
  ["", []],
])("reads %j, and each record's line", (text, records) => {
  expect(read(text)).toEqual(records);
});

// R47
it("names the line of a quote that is never closed", () => {
  expect(read('a,b\n\n"never closed,c\nd\n')).toBe(3);
});

it("reads what csvLine writes", () => {
  expect(read(csvLine(['say "hi"', "a,b", "two\nlines", ""]))).toEqual([
    [1, 'say "hi"', "a,b", "two\nlines", ""],
  ]);
});

// C37
it("reads a cell of any length", () => {
  const cell = "a".repeat(30_000_000);
  expect(read(`"${cell}"\n`)).toEqual([[1, cell]]);
});
