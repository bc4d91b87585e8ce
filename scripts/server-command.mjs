import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "./child-process.mjs";

/** The server's arguments for the pinned Node. The image's command is the same (tests/dockerfile.test.ts). */
export const SERVER_COMMAND = [
  // Half of V8's default, for the target of 220 MiB of an idle server (docs/decisions/0045).
  "--max-semi-space-size=16",
  "--import=./server/preload.mjs",
  "node_modules/@remix-run/serve/dist/cli.js",
  "build/server/index.js",
];

const READY_WITHIN_MS = 30_000;

/**
 * Waits until the server is ready.
 * @param {import("node:child_process").ChildProcess} server
 * @param {string} origin
 * @throws {UserError} when it exits or takes longer than 30 seconds
 */
export async function waitUntilReady(server, origin) {
  const deadline = Date.now() + READY_WITHIN_MS;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new UserError("The server did not become ready.");
    await pause(100);
  }
}
