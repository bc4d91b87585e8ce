import { describe, expect, it } from "vitest";
import { toSafeName } from "./safe-name";

describe("a typed name in an email", () => {
  it.each([
    "You won! evil.com/prize now",
    "Evil.COM.",
    "//evil/x",
    "www.x",
    "javascript:alert(1)",
    "ada@localhost",
    "Call 192.0.2.7/x",
    "xn--e1afmkfd.xn--p1ai",
    "例え.テスト",
    "💩.la",
    "evil．com",
    "evil。com",
    "evil｡com",
    "evil․com",
    "ｅｖｉｌ．ｃｏｍ",
    "http：／／evil",
    "a＠b",
    "evil\u200b.c\u00adom",
    "evil.c\u0301om",
    "Dr.Smith",
  ])("%s is omitted, because a mail client may turn it into a link (C42)", (name) => {
    expect(toSafeName(name)).toBe("");
  });

  it.each([
    "J.R.R. Tolkien",
    "Dr. No",
    "Anna-Maria O'Neil",
    "Müller & Söhne GmbH",
    "Ada Byron, Ph.D.",
    "S.p.A.",
    "Acme Inc.",
    "Studio 3.5",
    "Smith/Jones",
    "Ada @ Acme",
    "Ada: Byron",
    "Gal·la",
    "Ada…Byron",
    "10:30",
    "Nguyễn Thị Ánh",
    "👩‍👩‍👧‍👦 Familie",
    "",
  ])("%s is unchanged (C42)", (name) => {
    expect(toSafeName(name)).toBe(name);
  });

  it("is empty when it is undefined", () => {
    expect(toSafeName(undefined)).toBe("");
  });
});
