import { expect, it } from "vitest";
import { joinBelow } from "./join-below.server";

it.each(["x", "a/x", "..x", "a/..x..", ".x", "a\\..\\..\\x", "=?utf-8?Q?x?=", " "])(
  "%j is a name below its folder (C50)",
  (name) => expect(joinBelow("/data", name)).toBe(`/data/${name}`),
);

it.each([
  "",
  ".",
  "..",
  "../x",
  "../data/x",
  "a/../../x",
  "a/../x",
  "./x",
  "a//x",
  "a/./x",
  "a/",
  "/",
  "/x",
  "//x",
  "x\0",
  "x\0/../../y",
])("%j is none (C50)", (name) => expect(joinBelow("/data", name)).toBeUndefined());
