import { expect, it } from "vitest";
import { isPlainAddress } from "./email-address";

const LONGEST = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;

it.each([["a@example.com"], ["Ada.Byron+news@mail.example.co.uk"], ["o'neil@example.com"], [LONGEST]])(
  "%s is one address",
  (value) => expect(isPlainAddress(value)).toBe(true),
);

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
])("%s is not one address (C19, C44)", (_, value) => expect(isPlainAddress(value)).toBe(false));
