import { expect, test } from "vitest";
import { QuietMemory } from "./quiet-memory";

const MIB = 1_048_576;

test.each<[string, number, number, number]>([
  ["a quiet process gives back what it does not use", 0.01, 100 * MIB, 1],
  ["a busy one goes on", 0.05, 100 * MIB, 0],
  ["a little is not worth it", 0.01, 24 * MIB, 0],
])("%s", async (_, busy, spare, times) => {
  let released = 0;
  const release = async () => void (released += 1);
  await new QuietMemory({ busy: () => busy, spare: () => spare, release }).look();
  expect(released).toBe(times);
});

test("what nobody holds any more is collected at once", async () => {
  const held = new WeakRef({ text: "a visitor of before" });
  // A weak reference keeps its object until the turn that made it is over.
  await new Promise(setImmediate);
  await new QuietMemory({ busy: () => 0, spare: () => Infinity }).look();
  expect(held.deref()).toBeUndefined();
});
