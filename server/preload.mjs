/**
 * The guard in front of remix-serve: node --import ./server/preload.mjs node_modules/@remix-run/serve/dist/cli.js ...
 * Node strips the types of what it imports. Worker threads inherit --import and answer no requests.
 */
import { isMainThread } from "node:worker_threads";

if (!process.features.typescript) {
  process.stderr.write(`Node ${process.version} is too old: npm start uses the pinned one (package.json).\n`);
  process.exit(1);
}
if (isMainThread) {
  const { startGuard } = await import("./start.ts");
  startGuard();
}
