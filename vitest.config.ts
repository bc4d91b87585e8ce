import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };
const setupFiles = ["tests/quick-hashing.mjs", "tests/fail-on-console-error.ts"];

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
          // npm test builds and lints at the same time.
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
          globalSetup: "tests/contracts/templates.ts",
          // Each file waits for the disk most of the time.
          maxWorkers: 4,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // The built server as a child process, called over HTTP.
      {
        extends: true,
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts", "tests/faults/three-instances.test.ts"],
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
      // Attacks and failures around the server, C37 to R38 of docs/hardening.md: npm run test:attack runs the tests of these
      // files whose names have one of these ids.
      {
        extends: true,
        test: {
          name: "attack",
          include: [
            "tests/attack/**/*.test.ts",
            "tests/server/{backup,failures,hostile-inputs,input,login,mail-preview,page-cache}.test.ts",
            "tests/server/{overload,platform,second-factor}.test.ts",
            "tests/contracts/{bounds,broadcast-hostile,restore}.test.ts",
            "tests/faults/smtp-troubles.test.ts",
            "server/observability/stalled-output.test.ts",
          ],
          env: { TEST_HASHING: "real" },
          setupFiles,
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
          include: [
            "tests/faults/**/*.test.ts",
            "tests/server/{abandoned-export,deploy,endings,failures,headers,hostile-*,login}.test.ts",
            "tests/server/{mirror-kills,overload,resources,starting-together}.test.ts",
            "tests/contracts/{migrations,resource-probe,restore}.test.ts",
          ],
          env: { TEST_SIZE: "full", TEST_HASHING: "real" },
          setupFiles,
          testTimeout: 900_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
