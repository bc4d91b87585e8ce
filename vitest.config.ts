import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };
const setupFiles = ["tests/quick-hashing.mjs", "tests/fail-on-console-error.ts"];
/** Migrated databases, which tests of services copy. */
const globalSetup = "tests/contracts/templates.ts";

/** Test files of a folder. Throws for one that was renamed, because Vitest ignores a path that matches nothing. */
function filesIn(folder: string, ...names: string[]): string[] {
  const files = names.map((name) => `${folder}/${name}.test.ts`);
  const missing = files.find((file) => globSync(file).length === 0);
  if (missing !== undefined) throw new Error(`${missing} does not exist`);
  return files;
}

/** Lists the test files that have a full size or a promised time limit (tests/sizes.ts). */
function listSized(): string[] {
  const files = globSync("{app,server,tests}/**/*.test.{ts,tsx}");
  return files.filter((file) => /from "(?:\.\.|.*\/tests)\/sizes"/.test(readFileSync(file, "utf8")));
}

export default defineConfig({
  resolve: { alias },
  esbuild: { jsx: "automatic" },
  test: {
    // The files of a worker share loaded modules and their server (tests/server/shared-server.ts).
    isolate: false,
    projects: [
      // Pure rules and services: no server, no browser.
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "app/**/*.test.{ts,tsx}",
            "server/**/*.test.ts",
            "scripts/**/*.test.ts",
            "tests/*.test.ts",
          ],
          setupFiles,
          maxWorkers: 2,
          // Some measure growth, on machines of very different speed.
          testTimeout: 30_000,
        },
      },
      // One set of tests per port, for every driver; on SQLite and PostgreSQL.
      {
        extends: true,
        test: {
          name: "contracts",
          include: ["tests/contracts/**/*.test.ts"],
          setupFiles,
          globalSetup,
          // Each file waits for the disk most of the time.
          maxWorkers: 4,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // The built server as a child process, called over HTTP.
      {
        extends: true,
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts", ...filesIn("tests/faults", "signup-kills")],
          setupFiles,
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // Needs Firebase's Auth emulator: npm run test:firebase.
      {
        extends: true,
        test: { name: "firebase", include: ["tests/firebase/**/*.test.ts"], setupFiles, testTimeout: 60_000 },
      },
      // Attacks and failures around the server: npm run test:attack.
      {
        extends: true,
        test: {
          name: "attack",
          include: [
            "tests/attack/**/*.test.ts",
            ...filesIn("tests/server", "email-preview", "failures", "input", "login", "overload"),
            ...filesIn("tests/server", "page-cache", "platform", "second-factor"),
            ...filesIn("tests/contracts", "bounds", "broadcast-hostile", "restore"),
            ...filesIn("tests/faults", "hostile-inputs", "smtp-troubles"),
            ...filesIn("server/observability", "stalled-output"),
          ],
          env: { TEST_HASHING: "real" },
          setupFiles,
          globalSetup,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      // Long runs: npm run test:faults.
      {
        extends: true,
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts", ...listSized()],
          env: { TEST_SIZE: "full", TEST_HASHING: "real" },
          setupFiles,
          globalSetup,
          testTimeout: 900_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
