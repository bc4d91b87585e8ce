import { expect, it } from "vitest";
import {
  emailKey,
  findForeignCharacter,
  hasAddress,
  isPlainAddress,
  replaceAddress,
  toAsciiAddress,
} from "./email-address";

const LONGEST = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;

it.each([["a@example.com"], ["Ada.Byron+news@mail.example.co.uk"], ["o'neil@example.com"], [LONGEST]])(
  "%s is one address",
  (value) => expect(isPlainAddress(value)).toBe(true),
);

// C19, C44
it.each([
  ["a line break and a header", "a@example.com\r\nBcc: e@example.com"],
  ["a trailing line feed", "a@example.com\n"],
  ["two addresses", "a@example.com, e@example.com"],
  ["two addresses with a semicolon", "a@example.com;e@example.com"],
  ["a group", "g:a@example.com,b@example.com;"],
  ["a quoted local part", '"u@g x"@example.com'],
  ["a name in front", "Ada <a@example.com>"],
  ["a comment", "a@example.com(e@example.com)"],
  ["a letter outside ASCII", "adá@example.com"],
  ["a NUL", "a@example.com\0"],
  ["a space within", "a @example.com"],
  ["a space before", " a@example.com"],
  ["a path", "/etc/hostname"],
  ["no domain", "a"],
  ["no dot in the domain", "a@localhost"],
  ["255 characters", `x${LONGEST}`],
  ["nothing", ""],
  ["an encoded word", "=?utf-8?Q?evil=2Eexample?=@example.com"],
])("%s is not one address", (_, value) => expect(isPlainAddress(value)).toBe(false));

// R48
it.each([
  ["ada@müller.example", "ada@xn--mller-kva.example"],
  ["Ada@MÜLLER.Example", "Ada@xn--mller-kva.example"],
  ["ada@mu\u0308ller.example", "ada@xn--mller-kva.example"],
  ["ada@straße.example", "ada@xn--strae-oqa.example"],
  ["ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah"],
  ["ada@müller．example", "ada@xn--mller-kva.example"],
  ["ada@xn--mller-kva.example", "ada@xn--mller-kva.example"],
  ["Ada@Example.com", "Ada@Example.com"],
])("%s is the address %s", (typed, address) => {
  expect(toAsciiAddress(typed)).toBe(address);
  expect(isPlainAddress(address)).toBe(true);
  expect(emailKey(` ${typed}\n`)).toBe(address.toLowerCase());
});

// R47
it.each([
  ["a zero-width space", "ada\u200b@example.com"],
  ["a byte order mark", "\ufeffada@example.com"],
  ["a soft hyphen", "ada@exam\u00adple.com"],
  ["direction marks", "\u202aada@example.com\u202c\u200e"],
  ["no-break spaces around it", "\u00a0ada@example.com\u00a0"],
  ["a word joiner", "ada@example.com\u2060"],
])("an address with %s is read without it", (_, typed) => {
  expect(toAsciiAddress(typed)).toBe("ada@example.com");
});

// R48
it.each([
  ["ada@müller.example/x", "/"],
  ["ada@müller.example:80", ":"],
  ["ada@müller@evil.example", "two @"],
  ["ada@ü user:x@evil.example", "a space"],
  ["ada@mü%2e.example", "percent"],
  ["ada@℀.example", "a letter that becomes a slash"],
  ["ada@ü", "no dot"],
  [`ada@${"ü".repeat(300)}.example`, "300 letters"],
  ["ada\u00a0x@example.com", "a no-break space"],
  ["ádá@example.com", "letters outside ASCII before the @"],
  ["ada＠example.com", "another @"],
])("%s is no address (%s)", (typed) => {
  expect(isPlainAddress(toAsciiAddress(typed))).toBe(false);
});

// R48
it.each([
  ["adá@example.com", "á"],
  ["王@müller.example", "王"],
  ["ada.🙂x@example.com", "🙂"],
  ["ada@müller.example", undefined],
  ["ada@example.com", undefined],
  ["adá", undefined],
  ["a, é@x.io, b@x.io", undefined],
])("in %s the character before the @ is %s", (address, character) => {
  expect(findForeignCharacter(address)).toBe(character);
});

it.each([
  ["ann@example.com", true],
  ["Reply to Ann@Example.com.", true],
  ["from:ann@example.com, 'ann@example.com'", true],
  ["joann@example.com or ann@example.com", true],
  ["joann@example.com", false],
  ["jo.ann@example.com", false],
  ["jo+ann@example.com", false],
  ["mary-ann@example.com", false],
  ["ann@example.com.au", false],
  ["ann@example.com-pany.org", false],
  ["ann@example.community", false],
  ["ann at example.com", false],
  ["", false],
])("whether %j has the address ann@example.com is %s", (text, found) => {
  expect(hasAddress(text, "ann@example.com")).toBe(found);
});

it("an address is replaced in a text, whose other words stay as they are", () => {
  const text = "554-Ann@Example.com is unknown 554 5.7.1 <ANN@example.com>: See ann@example.com.The end";
  expect(replaceAddress(text, "ann@example.com", "erased")).toBe(
    "554-erased is unknown 554 5.7.1 <erased>: See erased.The end",
  );
  expect(replaceAddress("a+b@x.io, aab@x.io, a+b@xxio", "a+b@x.io", "erased")).toBe(
    "erased, aab@x.io, a+b@xxio",
  );
});
