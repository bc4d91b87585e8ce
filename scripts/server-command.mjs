/** The server, as arguments of the pinned Node. The image's command is the same (tests/dockerfile.test.ts). */
export const SERVER_COMMAND = [
  // The young generation V8 had for years; its new size of two times 32 MiB is paid for by everybody (decision 54).
  "--max-semi-space-size=16",
  "--import=./server/preload.mjs",
  "node_modules/@remix-run/serve/dist/cli.js",
  "build/server/index.js",
];
