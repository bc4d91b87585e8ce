import { expect, it, onTestFinished, vi } from "vitest";
import { seconds } from "~/lib/durations";
import { createWorker } from "./worker.server";

// R21
it("abandons a step that waits for another server, so that the shutdown goes on", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const log = { info: () => undefined, error: () => undefined };
  const hanging = { next: () => new Promise<number>(() => undefined), beginStopping: () => undefined };
  const worker = createWorker("the mirror", () => ({ ...hanging, idle: true, inFlight: 0 }), { log });
  worker.start();
  let isStopped = false;
  void worker.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(seconds(3));
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(seconds(1));
  expect(isStopped).toBe(true);
});
