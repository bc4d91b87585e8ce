import { expect, it } from "vitest";
import { MAX_PASSWORD_LENGTH } from "./password-hasher";
import { createPasswordPolicy } from "./password-policy.server";

const brandWords = ["Confer", "frontdesk"];
const policy = createPasswordPolicy({ minLength: 6, brandWords });

// C1
it.each([
  ["five characters", "k7#qz", "too-short"],
  ["five emoji, which are ten units", "🐎🔋📎🧲🪁", "too-short"],
  ["five letters written as ten", "e\u0301o\u0308a\u030au\u0301i\u0302", "too-short"],
  ["one more than the login form takes", "é".repeat(MAX_PASSWORD_LENGTH + 1), "too-long"],
  ["the most common one", "123456", "common"],
  ["a common one in capitals", "PassWord", "common"],
  ["the last of the 20,000", "biochem", "common"],
  ["the brand", "Confer", "brand"],
  ["the brand with a year and a sign", "confer-2026!", "brand"],
  ["both of the product's names", "FrontdeskConfer1", "brand"],
])("refuses %s", (_, password, problem) => {
  expect(policy.findProblem(password)).toBe(problem);
});

it.each([
  ["six characters", "k7#qzv"],
  ["digits alone that are no common ones", "8401735296"],
  ["words with the brand among them", "we confer on tuesdays"],
  ["a common one with something to it", "password of my aunt"],
  ["the longest", "é".repeat(MAX_PASSWORD_LENGTH)],
  ["a line of the list's licence", "# Copyright (c) 2021 @zxcvbn-ts"],
])("takes %s", (_, password) => {
  expect(policy.findProblem(password)).toBeUndefined();
});

it("asks for as many characters as it was told to", () => {
  const strict = createPasswordPolicy({ minLength: 12, brandWords });
  expect(strict.findProblem("k7#qzv-m3pw")).toBe("too-short");
  expect(strict.findProblem("k7#qzv-m3pw!")).toBeUndefined();
});

it("refuses a name of the product that has another one in it", () => {
  const named = createPasswordPolicy({ minLength: 6, brandWords: ["Desk", "frontdesk"] });
  expect(["frontdesk-2026", "desk-at-front-desk"].map((password) => named.findProblem(password))).toEqual([
    "brand",
    undefined,
  ]);
});

it.each(["NFC", "NFD"])("refuses a product's name with accents in %s", (form) => {
  const named = createPasswordPolicy({ minLength: 6, brandWords: ["Café".normalize(form)] });
  const spellings = ["NFC", "NFD"].map((each) => "Café-2026".normalize(each));
  expect(spellings.map((password) => named.findProblem(password))).toEqual(["brand", "brand"]);
});
