import { describe, expect, it } from "vitest";
import { cpuMs } from "../../tests/factories/cpu-time";
import { pairsFor, pairsOf, searchTerms, searchWords, wordsFrom, wordsOf } from "./search-words";

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

describe("what two words begin with", () => {
  const stored = pairsOf([
    "ada@example.com",
    "byron",
    "al",
    "\u{20000}\u{20001}\u{20002}\u{20003}",
    "\uFB00x",
  ]);
  const isStored = (...terms: string[]) => pairsFor(terms).every((pair) => stored.includes(pair));

  it.each([
    ["ada", "byron"],
    ["byron", "ada"],
    ["a", "b"],
    ["by", "a"],
    ["byr", "al"],
    ["ada@", "al"],
    ["\u{20000}\u{20001}\u{20002}", "byr"],
    ["\u{20000}", "\uFB00"],
    ["\uFB00", "b", "\u{20000}\u{20001}"],
    ["byron"],
    [],
  ])("is there for those who have both: %j %j", (...terms) => {
    expect(isStored(...terms)).toBe(true);
  });

  it.each([
    ["ada", "grace"],
    ["ada", "g"],
    ["byx", "ada"],
    ["ada", "byron", "grace"],
    ["b", "c"],
  ])("is not there for %j %j, which nobody has", (...terms) => {
    expect(isStored(...terms)).toBe(false);
  });

  it("is a number below 2^20, and everywhere the same", () => {
    const letters = Array.from({ length: 90 }, (_, at) => String.fromCodePoint(0x4e00 + at).repeat(3));
    const pairs = pairsOf(letters);
    expect(pairs).toHaveLength((4 * (90 * 89)) / 2);
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...pairs)).toBeLessThan(2 ** 20);
    // As every other CRC-32 says of "a b", "a byr", "ada b", "ada byr".
    expect(pairsOf(["byron", "ada"])).toEqual([810195, 510783, 609397, 911681]);
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
    ["ada a ad byron adam", ["byron", "adam"]],
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

it.each([
  ["marks on one letter", `a${"\u0301\u0316".repeat(16_384)}`],
  ["marks that are letters before they are folded", `a${"\u0301\uff9e".repeat(16_384)}`],
  ["signs between two letters", `a${"-".repeat(65_534)}a`],
  ["signs that fold into many", `a${"\u2057".repeat(16_384)}a`],
])("words of 64 KiB of %s are found as quickly as any (C37)", (_, text) => {
  expect(cpuMs(() => wordsOf(text))).toBeLessThan(30);
  expect(cpuMs(() => searchTerms(text))).toBeLessThan(30);
});
