import { expect, it } from "vitest";
import { csvLine, unescapeFormula } from "./csv";

// C21
it.each(["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"])(
  "escapes a text that begins with %j",
  (first) => {
    expect(csvLine([`${first}HYPERLINK("//e.example")`])).toBe(`"'${first}HYPERLINK(""//e.example"")"\r\n`);
    expect(unescapeFormula(`'${first}HYPERLINK`)).toBe(`${first}HYPERLINK`);
  },
);

it("does not escape such a character inside a text", () => {
  expect(csvLine(["a=b", "3 - 2", "ada@example.com"])).toBe('"a=b","3 - 2","ada@example.com"\r\n');
  for (const text of ["a=b", "'a=b", "=b", ""]) expect(unescapeFormula(text)).toBe(text);
});

it("keeps commas, quotes and line breaks inside their cell (RFC 4180)", () => {
  expect(csvLine(['Byron, "Ada"', "two\r\nlines", ""])).toBe('"Byron, ""Ada""","two\r\nlines",""\r\n');
});

it("writes a number as a number, a negative one too", () => {
  expect(csvLine([12, -3.5])).toBe("12,-3.5\r\n");
});
