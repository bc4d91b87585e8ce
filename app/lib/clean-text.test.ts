import { expect, it } from "vitest";
import { measureCpuMs } from "../../tests/factories/cpu-time";
import { cleanText, codePoints, truncate } from "./clean-text";
import { toMaxLength } from "./max-length";

it("stores composed, well-formed, trimmed text with plain line breaks", () => {
  expect(cleanText("  Zoe\u0308\r\nLi\rX \ud800 ")).toBe("Zoë\nLi\nX \ufffd");
});

it("refuses text with a NUL", () => {
  expect(cleanText("a\0b")).toBeUndefined();
});

it("counts an emoji as one", () => {
  expect(codePoints("a👍")).toBe(2);
});

it("lets the browser accept as many emoji as the server", () => {
  expect("👍".repeat(100)).toHaveLength(toMaxLength(100));
});

it.each([
  ["exactly fifty", "x".repeat(50), "x".repeat(50)],
  ["one more than fifty", "x".repeat(51), `${"x".repeat(50)}...`],
  ["an accent on the last", `${"x".repeat(50)}\u0301y`, `${"x".repeat(50)}\u0301...`],
  ["families of emoji", "👩‍👩‍👧‍👦".repeat(51), `${"👩‍👩‍👧‍👦".repeat(50)}...`],
  ["fewer graphemes than code units", "👩‍👩‍👧‍👦".repeat(20), "👩‍👩‍👧‍👦".repeat(20)],
])("cuts text at 50 graphemes: %s", (_, input, expected) => {
  expect(truncate(input, 50)).toBe(expected);
});

// C37
it.each([
  ["above and below in turn", "\u0301\u0316".repeat(16_384)],
  ["first all above, then all below", "\u0301".repeat(16_384) + "\u0316".repeat(16_384)],
  ["of four places in turn", "\u0345\u0301\u0316\u0327".repeat(8_192)],
  ["that are two each", "\u0344\u0316".repeat(16_384)],
])("cleans 64 KiB of marks on one letter, %s, quickly", (_, marks) => {
  // Putting them in order takes 500 ms and more.
  expect(measureCpuMs(() => cleanText(`a${marks}`))).toBeLessThan(250);
});

it("keeps every mark, and is the same the second time", () => {
  const marks = "\u0301\u0316".repeat(50);
  const once = cleanText(`a${marks}`)!;
  expect(once.replaceAll("\u034f", "").normalize("NFC")).toBe(`a${marks}`.normalize("NFC"));
  expect(cleanText(once)).toBe(once);
  expect(cleanText(`a${marks.slice(0, 30)}`)).toBe(`a${marks.slice(0, 30)}`.normalize("NFC"));
});
