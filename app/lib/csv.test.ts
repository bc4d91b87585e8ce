import { expect, it } from "vitest";
import { csvLine } from "./csv";

it.each(["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"])(
  "a text that begins with %j is no formula (C21)",
  (first) => {
    expect(csvLine([`${first}HYPERLINK("//e.example")`])).toBe(`"'${first}HYPERLINK(""//e.example"")"\r\n`);
  },
);

it("leaves alone what only contains such a character", () => {
  expect(csvLine(["a=b", "3 - 2", "ada@example.com"])).toBe('"a=b","3 - 2","ada@example.com"\r\n');
});

it("keeps commas, quotes and line breaks inside their cell (RFC 4180)", () => {
  expect(csvLine(['Byron, "Ada"', "two\r\nlines", ""])).toBe('"Byron, ""Ada""","two\r\nlines",""\r\n');
});

it("writes a number as a number, a negative one too", () => {
  expect(csvLine([12, -3.5])).toBe("12,-3.5\r\n");
});
