/**
 * Run by the Dockerfile after its install: removes types, source maps, the Node of npm start (the image has one) and the
 * unused ones of Google's 300 APIs from node_modules, two thirds of the image.
 */
import { globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The APIs of googleapis that app/ imports (tests/dockerfile.test.ts). */
const APIS = ["gmail", "sheets"];
const apis = "node_modules/googleapis/build/src/apis";

for (const entry of readdirSync(apis, { withFileTypes: true })) {
  if (entry.isDirectory() && !APIS.includes(entry.name)) rmSync(join(apis, entry.name), { recursive: true });
}
for (const folder of globSync("node_modules/node-{linux,win}-*")) rmSync(folder, { recursive: true });
rmSync("node_modules/.bin/node", { force: true });
for (const file of globSync("node_modules/**/*.{d.ts,d.mts,d.cts,map}")) rmSync(file);
