import { describe, expect, it } from "vitest";
import { toSafeName } from "./safe-name";

describe("a typed name in an email", () => {
  it.each([
    "evil.com",
    "evil.com/x",
    "Evil.COM.",
    "You won! evil.com/prize now",
    "http://evil",
    "HXXP://evil.example",
    "//evil/x",
    "www.x",
    "WWW.evil.test",
    "javascript:alert(1)",
    "mailto:a",
    "tel:+15550100",
    "data:,x",
    "a@b.c",
    "ada@localhost",
    "evil.com:8080",
    "192.0.2.7",
    "Call 192.0.2.7/x",
    "xn--e1afmkfd.xn--p1ai",
    "пример.рф",
    "例え.テスト",
    "💩.la",
    "evil．com",
    "evil。com",
    "evil｡com",
    "evil․com",
    "ｅｖｉｌ．ｃｏｍ",
    "ⓔⓥⓘⓛ.ⓒⓞⓜ",
    "http：／／evil",
    "a＠b",
    "evil\u200b.c\u00adom",
    "evil.\u2060com",
    "evil.c\u0301om",
    "Meier Co.KG",
    "Dr.Smith",
  ])("%s is omitted, because a mail client may turn it into a link (C42)", (name) => {
    expect(toSafeName(name)).toBe("");
  });

  it.each([
    "J.R.R. Tolkien",
    "Dr. No",
    "St. John",
    "Anna-Maria O'Neil",
    "Sam Jr.",
    "Müller & Söhne GmbH",
    "A.B. Example",
    "Ada Byron, Ph.D.",
    "S.p.A.",
    "Acme Inc.",
    "Studio 3.5",
    "Smith/Jones",
    "Ada @ Acme",
    "@ada",
    "Ada: Byron",
    "Gal·la",
    "Ada...Byron",
    "Ada…Byron",
    "No.1",
    "10:30",
    "Nguyễn Thị Ánh",
    "山田 太郎",
    "עברית",
    "👩‍👩‍👧‍👦 Familie",
    "",
  ])("%s is unchanged (C42)", (name) => {
    expect(toSafeName(name)).toBe(name);
  });

  it("is empty when it is undefined", () => {
    expect(toSafeName(undefined)).toBe("");
  });
});
