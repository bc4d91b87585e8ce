/** The server, as arguments of the pinned Node. The image's command is the same (tests/dockerfile.test.ts). */
export const SERVER_COMMAND = [
  // As much young memory as V8 took for years: half of what it takes by itself now (decision 45).
  "--max-semi-space-size=16",
  "--import=./server/preload.mjs",
  "node_modules/@remix-run/serve/dist/cli.js",
  "build/server/index.js",
];
