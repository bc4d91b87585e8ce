/** The server's arguments for the pinned Node. The image's command is the same (tests/dockerfile.test.ts). */
export const SERVER_COMMAND = [
  // Half of V8's default, for the target of 220 MiB of an idle server (docs/decisions/0045).
  "--max-semi-space-size=16",
  "--import=./server/preload.mjs",
  "node_modules/@remix-run/serve/dist/cli.js",
  "build/server/index.js",
];
