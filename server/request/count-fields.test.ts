import { expect, test } from "vitest";
import { exceedsJson, hasMorePairs, hasMoreParts } from "./count-fields.ts";

/** Returns the smallest limit that is not exceeded. */
const smallest = (exceeds: (most: number) => boolean) => {
  let most = 0;
  while (exceeds(most)) most += 1;
  return most;
};

// C37
test.each([
  ["a=1", 1],
  ["a=1&b=2&&c", 4],
  ["&&&", 4],
])("%j has %i pairs", (text, count) => {
  expect(smallest((most) => most === 0 || hasMorePairs(text, most))).toBe(count);
});

const part = (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`;

// C37
test.each([
  ["multipart/form-data; boundary=x", part("x").repeat(3) + "--x--\r\n", 3],
  ['multipart/form-data; charset=utf-8; BOUNDARY="a b"', part("a b") + "--a b--\r\n", 1],
  ["multipart/form-data; boundary=x", "nothing of the kind", 0],
  ["multipart/form-data", part("x"), 0],
  ["multipart/form-data; boundary=", part("x"), 0],
  ["multipart/form-data; boundary=; boundary=y", part("y").repeat(2) + "--y--\r\n", 2],
])("parts are counted by the boundary of %s", (contentType, body, count) =>
  expect(smallest((most) => hasMoreParts(body, contentType, most))).toBe(count),
);

// C37
test.each([
  'multipart/form-data; a="; boundary=x"; boundary=y',
  'multipart/form-data; boundary="x\\y"',
  'multipart/form-data; boundary="x',
  "multipart/form-data; boundary= ; x=y",
  "multipart/form-data; boundary=x, multipart/form-data; boundary=y",
  "multipart/form-data; boundary=ä",
])("%s, whose boundary the parser may find elsewhere, has too many parts", (contentType) => {
  expect(hasMoreParts("", contentType, 200)).toBe(true);
});

// C37
test.each([
  ['"a"', 1, 0],
  ["{}", 2, 1],
  ['{"a":1,"b":"x,{[\\"","c":[1,2]}', 6, 2],
  ["[".repeat(1000), 1001, 1000],
  ['"\\\\",1', 2, 0],
])("the JSON %.20s has %i members, %i deep", (text, members, depth) => {
  expect(smallest((most) => exceedsJson(text, { members: most, depth: Infinity }))).toBe(members);
  expect(smallest((most) => exceedsJson(text, { members: Infinity, depth: most }))).toBe(depth);
});
