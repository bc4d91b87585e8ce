import { createRequire } from "node:module";

/** Loaded by Node's --import: prints at exit which of Google's packages were loaded (all of them are CommonJS). */
const { cache } = createRequire(import.meta.url);
process.on("exit", () => {
  const ofGoogle =
    /\/node_modules\/(googleapis(?:\/build\/src\/apis\/\w+)?|google-auth-library|@google-cloud\/local-auth)\//;
  const names = Object.keys(cache).flatMap((file) => ofGoogle.exec(file)?.[1] ?? []);
  process.stdout.write(`loaded of Google: ${JSON.stringify([...new Set(names)].sort())}\n`);
});
