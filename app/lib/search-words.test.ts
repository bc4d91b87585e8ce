import { describe, expect, it } from "vitest";
import { initials, searchTerms, searchWords, wordsFrom } from "./search-words";

describe("what somebody is found by", () => {
  it.each([
    ["Ada Byron", ["ada@example.com", "ada", "byron"]],
    ["  José   ÅNGSTRÖM ", ["ada@example.com", "jose", "angstrom"]],
    ["Dr. Jean-Luc O'Brien,", ["ada@example.com", "dr", "jean-luc", "jean", "luc", "o'brien", "o", "brien"]],
    ["Ada ada ADA", ["ada@example.com", "ada"]],
    ["山田 太郎", ["ada@example.com", "山田", "太郎"]],
    ["👩‍👩‍👧‍👦 -- ...", ["ada@example.com"]],
    ["", ["ada@example.com"]],
  ])("%j", (name, words) => {
    expect(searchWords({ name, email: "Ada@Example.com" })).toEqual(words);
  });

  it("is at most sixteen words", () => {
    const name = Array.from({ length: 90 }, (_, index) => `w${index}`).join(" ");
    expect(searchWords({ name, email: "a@example.com" })).toHaveLength(16);
  });

  it("is at most 1,200 bytes: what does not fit is left out, what comes after it is not", () => {
    // Each letter of a Korean name is three of three bytes.
    const name = `${"\uAC01".repeat(190)} Kim`;
    expect(searchWords({ name, email: "a@example.com" })).toEqual(["a@example.com", "kim"]);
  });
});

describe("what their words begin with", () => {
  const bits = initials(["ada@example.com", "byron", "山田", "👩"]);

  it.each(["a", "ad", "zebra", "b", "山", "👩"])("has the bit of %j when a word begins so", (term) => {
    const bit = initials([term]);
    expect((bits & bit) === bit).toBe(term !== "zebra");
  });

  it("is a number every database takes", () => {
    const all = initials(Array.from({ length: 2000 }, (_, code) => String.fromCodePoint(code * 500 + 1)));
    expect(all).toBe(2 ** 31 - 1);
    expect(initials([])).toBe(0);
  });
});

describe("what somebody asks for", () => {
  it.each([
    ["", []],
    [" \t\n ", []],
    [" İPEK  ipek O'B ", ["ipek", "o'b"]],
    ["Ada@Ex", ["ada@ex"]],
    ["a\0b", ["a", "b"]],
    ["x".repeat(255), []],
    ["a b c d e f g h i j", ["a", "b", "c", "d", "e", "f", "g", "h"]],
  ])("%j", (typed, terms) => {
    expect(searchTerms(typed)).toEqual(terms);
  });

  it("covers all words that begin so, and no others", () => {
    const [first, last] = wordsFrom("ma");
    const words = ["lz", "m", "ma", "maria", "ma\u{1F600}", "mb"];
    expect(words.filter((word) => word >= first && word <= last)).toEqual(["ma", "maria", "ma\u{1F600}"]);
  });
});
