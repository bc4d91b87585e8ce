import { describe, expect, it } from "vitest";
import { toSafeName } from "./safe-name";

describe("a typed name in an email", () => {
  // C42
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
  ])("%s is omitted, because a mail client may turn it into a link", (name) => {
    expect(toSafeName(name)).toBe("");
  });

  // C44
  it.each([
    "=?utf-8?Q?Visit_evil=2Eexample=2Fprize?=",
    "=?UTF-8?B?VmlzaXQgZXZpbC5leGFtcGxl?=",
    "=?utf-8*en?q?evil=2Eexample?=",
    "Ada =?utf-8?Q?evil=2E?= =?utf-8?Q?example?=",
    "=?utf-8?Q?=3D=3Futf-8=3FQ=3Fevil=3F=3D?=",
    "=?utf-8?Q?evil=2Eexample",
    "＝？utf-8?Q?evil=2Eexample?=",
    "=\u200b?utf-8?Q?evil=2Eexample?=",
    "=\u00ad?utf-8?Q?evil=2Eexample?=",
  ])("%s is omitted, because a mail client may decode it", (name) => {
    expect(toSafeName(name)).toBe("");
  });

  // C42
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
    "Ada = Byron?",
    "?=",
  ])("%s is unchanged", (name) => {
    expect(toSafeName(name)).toBe(name);
  });

  it("is empty when it is undefined", () => {
    expect(toSafeName(undefined)).toBe("");
  });
});
