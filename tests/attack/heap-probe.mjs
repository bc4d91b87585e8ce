/**
 * Loaded into the built server by the attack tests: on SIGUSR2 it collects garbage and writes the heap's size
 * to standard error.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    process.stderr.write(`heap in use: ${process.memoryUsage().heapUsed}\n`);
  });
}
