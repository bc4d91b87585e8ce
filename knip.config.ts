import type { KnipConfig } from "knip";

/** Dead files, exports and dependencies. Part of npm run check. */
export default {
  entry: [
    "app/entry.{client,server}.tsx",
    "app/routes/**/route.{ts,tsx}",
    // shadcn/ui's parts are whole, whether or not each is used yet.
    "app/components/ui/*.tsx",
    // Started by package.json after `exec`, and by the Dockerfile. It finds the other commands in package.json.
    "scripts/{firebase,slim-packages,test}.mjs",
    // Started by their path, as threads, processes and preloaded modules.
    "server/workers/*.ts",
    "server/fixtures/{application.ts,quick-preload.mjs}",
    "tests/attack/heap-probe.mjs",
    "tests/factories/dying-{restore,start}.ts",
    "tests/fakes/{browser,list-loaded}.mjs",
    "vitest.mutants.config.ts",
  ],
  project: ["{app,server,scripts,tests}/**/*.{ts,tsx,mjs,css}", "*.{ts,js}"],
  // Types of a module deep inside smtp-server.
  ignoreDependencies: ["@types/smtp-server"],
  // The path is relative to the project, not to the file that names it.
  ignoreUnresolved: ["./tests/quick-hashing.mjs"],
  // A type may be the name of a part of an exported signature.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Programs of the machine are asked for before a test uses them (docs/decisions/0089-tests-on-a-fresh-machine.md).
  exclude: ["binaries"],
} satisfies KnipConfig;
