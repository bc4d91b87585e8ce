/**
 * Run by the Dockerfile after its build: removes from node_modules what a server does not need (types, source maps,
 * sources, other platforms, unused Google APIs), and replaces the Node of npm start by the image's own.
 */
import { globSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** The APIs of googleapis that app/ imports (tests/dockerfile.test.ts). */
const APIS = ["gmail", "sheets"];
const apis = "node_modules/googleapis/build/src/apis";
/** The compiled SQLite of this machine. */
const SQLITE = `${process.platform}-${process.arch}.node`;

/** @param {string} path */
const remove = (path) => rmSync(path, { recursive: true, force: true });

for (const entry of readdirSync(apis, { withFileTypes: true })) {
  if (entry.isDirectory() && !APIS.includes(entry.name)) remove(join(apis, entry.name));
}
for (const file of globSync("node_modules/better-sqlite3/prebuilds/*")) {
  if (basename(file) !== SQLITE) remove(file);
}
// A peer of packages that are not installed: npm keeps it because something optional asks for it.
remove("node_modules/typescript");
for (const folder of [
  "better-sqlite3/deps",
  "better-sqlite3/src",
  "bintrees/test",
  "react-dom/umd",
  "zod/src",
]) {
  remove(join("node_modules", folder));
}
for (const file of globSync("node_modules/**/*.{d.ts,d.mts,d.cts,map,md}")) {
  if (!/^licen[sc]e/i.test(basename(file))) remove(file);
}
for (const folder of globSync("node_modules/node-{linux,win}-*")) remove(folder);
remove("node_modules/.bin/node");
symlinkSync(process.execPath, "node_modules/.bin/node");
