import { expect, it } from "vitest";
import { mebibytes } from "~/lib/sizes";
import { measureLongestBlock } from "../../../tests/factories/cpu-time";
import { readAddressList } from "./suppression-list.server";

const fill = (unit: string): string => unit.repeat(mebibytes(2) / unit.length);

// C37
it.each([
  ["addresses", fill("a@b.co\n"), 299_593, 0],
  ["lines that hold none", fill("x\n"), 0, 1_048_576],
  ["quotes", fill('"\n'), 0, 1_048_576],
  ["line ends", fill("\n"), 0, 0],
  ["one line", fill("a"), 0, 1],
])("two megabytes of %s are read without blocking the event loop", async (_, text, found, wrong) => {
  const { ms, totalMs, value } = await measureLongestBlock(() => readAddressList(["Email\n", text]));
  expect([value.addresses.length, value.wrong]).toEqual([found, wrong]);
  expect(ms).toBeLessThan(totalMs / 2);
});

it("short and long lists can be read at the same time", async () => {
  const lists = [1, 2, 3, 4].map((list) => `person${list}@example.com\n`.repeat(list === 1 ? 1 : 10_000));
  const read = await Promise.all(lists.map((list) => readAddressList([list])));
  expect(read.map(({ addresses }) => addresses.at(-1))).toEqual([
    "person1@example.com",
    "person2@example.com",
    "person3@example.com",
    "person4@example.com",
  ]);
});
