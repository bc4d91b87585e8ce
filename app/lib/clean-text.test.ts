import { expect, it } from "vitest";
import { cleanText, codePoints, truncate } from "./clean-text";

it("stores composed, well-formed, trimmed text with plain line breaks", () => {
  expect(cleanText("  Zoe\u0308\r\nLi\rX \ud800 ")).toBe("Zoë\nLi\nX \ufffd");
});

it("refuses text with a NUL", () => {
  expect(cleanText("a\0b")).toBeUndefined();
});

it("counts an emoji as one", () => {
  expect(codePoints("a👍")).toBe(2);
});

it.each([
  ["exactly fifty", "x".repeat(50), "x".repeat(50)],
  ["one more than fifty", "x".repeat(51), `${"x".repeat(50)}...`],
  ["families of emoji", "👩‍👩‍👧‍👦".repeat(51), `${"👩‍👩‍👧‍👦".repeat(50)}...`],
  ["fewer graphemes than code units", "👩‍👩‍👧‍👦".repeat(20), "👩‍👩‍👧‍👦".repeat(20)],
])("cuts text at 50 graphemes: %s", (_, given, expected) => {
  expect(truncate(given, 50)).toBe(expected);
});
