import { pino } from "pino";
import { expect, test } from "vitest";
import { LineBatch } from "./line-batch.ts";

function batch() {
  const written: string[] = [];
  const turns: (() => void)[] = [];
  const destination = { write: (text: string) => void written.push(text) };
  return { lines: new LineBatch(destination, (run) => turns.push(run)), written, turns };
}

test("the lines of one turn are written in one go, in order", () => {
  const { lines, written, turns } = batch();
  for (const line of ["a\n", "b\n"]) lines.write(line);
  expect([written.length, turns.length]).toEqual([0, 1]);
  turns.shift()?.();
  lines.write("c\n");
  turns.shift()?.();
  expect(written).toEqual(["a\nb\n", "c\n"]);
});

test("an early end writes what is left, once", () => {
  const { lines, written, turns } = batch();
  lines.write("a\n");
  lines.flushSync();
  turns.shift()?.();
  expect(written).toEqual(["a\n"]);
});

test("a fatal line does not wait", () => {
  const { lines, written } = batch();
  pino({}, lines).fatal("over");
  expect(written.join("")).toContain("over");
});
