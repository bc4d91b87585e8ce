import { expect, it } from "vitest";
import { getSource } from "./first-touch";
import { cleanSource, limitSource, SOURCES_A_DAY } from "./source";

const getTouch = (search: string, referrer = "") =>
  cleanSource(getSource({ search, referrer, host: "launch.example" }));

it.each([
  ["", "", "direct"],
  ["?utm_source=Newsletter", "https://mail.example/", "newsletter"],
  [
    "?utm_source=newsletter&utm_medium=email&utm_campaign=Spring%20Launch",
    "",
    "newsletter / email / spring launch",
  ],
  ["?utm_campaign=spring", "", "spring"],
  ["?utm_source=x&via=ada", "", "x"],
  ["?via=Ada", "https://x.com/", "via ada"],
  ["?gclid=123", "https://www.google.com/search?q=suite", "google.com"],
  ["?utm_source=&via=", "https://news.example:8443/a", "news.example"],
  ["", "https://launch.example/early-access", "direct"],
  ["", "android-app://com.example.mail/", "com.example.mail"],
  ["", "not an address", "direct"],
  ["", "data:text/html,a", "direct"],
])("the source of %j from %j is %j", (search, referrer, source) => {
  expect(getTouch(search, referrer)).toBe(source);
});

it.each([
  ["a\0b", ""],
  ["  Two\t\nlines  ", "two lines"],
  ["\u202Egnp.exe\u200B", "gnp.exe"],
  ["Cafe\u0301", "café"],
  ["x".repeat(5000), "x".repeat(100)],
  ["😀".repeat(200), "😀".repeat(100)],
  ["\uD800", "\uFFFD"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
])("a text is cleaned, once and for all: %#", (text, source) => {
  expect(cleanSource(text)).toBe(source);
  expect(cleanSource(source)).toBe(source);
});

it.each([
  "?utm_source=%00",
  "?utm_source=%ff%fe",
  "?utm_source=%",
  `?utm_source=${"%F0%9F%98%80".repeat(9000)}`,
])("a hostile query is a source of at most 100 characters: %#", (search) => {
  const source = getTouch(search);
  expect(Array.from(source).length).toBeLessThanOrEqual(100);
});

it("a day has 200 sources, and the fixed ones", () => {
  const known = new Set(Array.from({ length: SOURCES_A_DAY }, (_, n) => `s${n}`));
  expect(limitSource("s7", known)).toBe("s7");
  expect(limitSource("new", known)).toBe("other");
  for (const fixed of ["direct", "unknown", "api", "import", "other"]) {
    expect(limitSource(fixed, known)).toBe(fixed);
    known.add(fixed);
  }
  known.delete("s7");
  expect(limitSource("new", known)).toBe("new");
});
