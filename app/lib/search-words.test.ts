import { describe, expect, it } from "vitest";
import { measureCpuMs } from "../../tests/factories/cpu-time";
import {
  inquiryWords,
  isFoundBy,
  longestPart,
  matchesTerms,
  searchDocument,
  searchTerms,
  searchWords,
  splitWords,
} from "./search-words";

describe("the words of a person", () => {
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

  it("are at most sixteen", () => {
    const name = Array.from({ length: 90 }, (_, index) => `w${index}`).join(" ");
    expect(searchWords({ name, email: "a@example.com" })).toHaveLength(16);
  });

  it("do not include one of more than 2,046 bytes", () => {
    // Each letter of a Korean name is three of three bytes.
    const name = `${"\uAC01".repeat(228)} Kim`;
    expect(searchWords({ name, email: "a@example.com" })).toEqual(["a@example.com", "kim"]);
  });
});

it("the words of an inquiry are those of its sender and all of its text, each once", () => {
  const sender = { name: "Ada Byron", email: "ada@example.com" };
  const words = ["ada@example.com", "ada", "byron", "is", "it", "open", "since", "9", "00"];
  expect(inquiryWords({ ...sender, message: "Is it open?\nIs it open since 9:00, Ada?" })).toEqual([
    ...words.slice(0, 7),
    "9:00",
    ...words.slice(7),
  ]);
  const many = Array.from({ length: 1000 }, (_, index) => `w${index}`).join(" ");
  expect(inquiryWords({ ...sender, message: many })).toHaveLength(1003);
});

it.each([
  ["", []],
  [" \t\n ", []],
  [" İPEK  ipek O'B ", ["ipek", "o'b"]],
  ["Ada@Ex", ["ada@ex"]],
  ["a\0b\u0001", ["a", "b"]],
  ["\u210Dedy", ["hedy"]],
  ["x".repeat(255), []],
  ["ada a ad byron adam", ["byron", "adam"]],
  ["a b c d e f g h i j", ["a", "b", "c", "d", "e", "f", "g", "h"]],
  ["(where) are “recordings” kept, e.g. here?", ["where", "are", "recordings", "kept", "e.g", "here"]],
  ["ada@ ada.", ["ada@"]],
  ["Dr. King Jr. (Yahoo!), Acme Inc.", ["dr", "king", "jr", "yahoo", "acme", "inc"]],
  ["Smith & Co - %", ["smith", "co"]],
  ["ada@example. @exam .com ada@.", ["ada@example", "@exam", ".com"]],
  ["? ,", []],
  ["% &", ["%", "&"]],
])("the terms of the search %j", (typed, terms) => {
  expect(searchTerms(typed)).toEqual(terms);
});

it.each([
  ["Dr. Ada Byron", "Acme Inc."],
  ["Ada King Jr.", "Smith & Co"],
  ["Ada (she/her)", "Yahoo!"],
  ["Ada -- Byron, M.Sc.", "C++ / Canal+"],
  ["Jean-Luc O'Brien", "AT&T \u2122 (U.S.)"],
])("the name %j and the company %j are found by what the list shows of them", (name, company) => {
  const email = "ada@mail.acme-tools.com";
  const document = searchDocument({ name, email, company });
  for (const typed of [name, company, email, `${name} ${company}`, `${email}.`, `${email}>`]) {
    expect([typed, isFoundBy(document, searchTerms(typed))]).toEqual([typed, true]);
  }
});

it("an inquiry is found by any sentence of its text", () => {
  const sentence = "We are Acme Inc. & use C++ - e.g. at night...";
  const words = inquiryWords({ name: "Ada", email: "ada@example.com", message: `Hello! ${sentence} Bye!` });
  expect(matchesTerms(words, searchTerms(sentence))).toBe(true);
});

it("an address is found by each of its beginnings, also while it is typed", () => {
  const email = "ada.b-c_d+e@mail.example.com";
  const document = searchDocument({ name: "", email, company: "" });
  for (let end = 1; end <= email.length; end += 1) {
    expect([end, isFoundBy(document, searchTerms(email.slice(0, end)))]).toEqual([end, true]);
  }
  expect(isFoundBy(document, searchTerms("ada@"))).toBe(false);
});

// C37
it.each([
  ["marks on one letter", `a${"\u0301\u0316".repeat(16_384)}`],
  ["marks that are letters before they are folded", `a${"\u0301\uff9e".repeat(16_384)}`],
  ["signs between two letters", `a${"-".repeat(65_534)}a`],
  ["signs that fold into many", `a${"\u2057".repeat(16_384)}a`],
])("64 KiB of %s are split quickly", (_, text) => {
  // Putting marks in order takes 500 ms and more.
  expect(measureCpuMs(() => splitWords(text))).toBeLessThan(250);
  expect(measureCpuMs(() => searchTerms(text))).toBeLessThan(250);
});

// R48
it("finds an address at a domain outside ASCII by its ASCII form", () => {
  expect(searchTerms("ada@müller.example")).toEqual(["ada@xn--mller-kva.example"]);
  expect(searchTerms("Müller")).toEqual(["muller"]);
});

it.each(["ΚΟΣΜΟΣ ΑΕ", "Électricité Ørsted", "ACME & Sons (2026)"])(
  "any part of the company %s has a longest part that its document has",
  (company) => {
    const document = searchDocument({ name: "", email: "ada@example.com", company });
    for (let from = 0; from < company.length; from += 1) {
      for (let until = from + 1; until <= company.length; until += 1) {
        expect(document).toContain(longestPart(company.slice(from, until)) ?? "");
      }
    }
  },
);
