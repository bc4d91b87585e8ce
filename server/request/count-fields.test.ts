import { expect, test } from "vitest";
import { countPairs, countParts, measureJson } from "./count-fields.ts";

test.each([
  ["", 1],
  ["a=1", 1],
  ["a=1&b=2&&c", 4],
])("the pairs of %j are %i (C37)", (text, count) => {
  expect(countPairs(text)).toBe(count);
  expect(countPairs(Buffer.from(text))).toBe(count);
});

const part = (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`;

test.each([
  ["multipart/form-data; boundary=x", part("x").repeat(3) + "--x--\r\n", 3],
  ['multipart/form-data; charset=utf-8; BOUNDARY="a b"', part("a b") + "--a b--\r\n", 1],
  ["multipart/form-data; boundary=x", "nothing of the kind", -1],
  ["multipart/form-data", part("x"), 0],
  ["multipart/form-data; boundary=", part("x"), 0],
])("the parts by %s are counted (C37)", (contentType, body, count) =>
  expect(countParts(Buffer.from(body), contentType)).toBe(count),
);

test.each([
  ['"a"', 1, 0],
  ["{}", 2, 1],
  ['{"a":1,"b":"x,{[\\"","c":[1,2]}', 6, 2],
  ["[".repeat(1000), 1001, 1000],
  ['"\\\\",1', 2, 0],
])("the JSON %.20s has %i members, %i deep (C37)", (text, members, depth) =>
  expect(measureJson(Buffer.from(text))).toEqual({ members, depth }),
);
