import { expect, it } from "vitest";
import { joinBelow } from "./join-below.server";

// C50
it.each(["x", "a/x", "..x", "a/..x..", ".x", "a\\..\\..\\x", "=?utf-8?Q?x?=", " "])(
  "%j is a name below its folder",
  (name) => expect(joinBelow("/data", name)).toBe(`/data/${name}`),
);

// C50
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
])("%j is none", (name) => expect(joinBelow("/data", name)).toBeUndefined());
