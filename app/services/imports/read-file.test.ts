import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { readFile } from "./read-file.server";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

// C37
it("keeps no lines of a file once they are stored", async () => {
  const file = new Blob([`Email\n${"ada@example.com\n".repeat(10_000)}`]);
  const batches: WeakRef<object>[] = [];
  await readFile(file, undefined, async (lines) => {
    batches.push(new WeakRef(lines));
    await setImmediate();
    collectGarbage();
    // Not the latest one, which is being stored, nor the one before, which may be on the stack.
    const stored = batches.slice(0, -2);
    expect(stored.filter((batch) => batch.deref() !== undefined)).toEqual([]);
  });
  expect(batches).toHaveLength(10);
});
