import { expect, it } from "vitest";
import { runInWorker } from "./run-in-worker.server";

// C37
it("rejects when a thread fails, and runs the next one", async () => {
  const failing = runInWorker("read-addresses", "no list of texts".length);
  const missing = runInWorker("no such worker", []);
  const good = runInWorker("read-addresses", ["ada@example.com"]);
  await expect(failing).rejects.toThrow(/not iterable/);
  await expect(missing).rejects.toThrow(/no such worker/);
  expect(await good).toMatchObject({ addresses: ["ada@example.com"], wrong: 0, firstWrong: [] });
});
