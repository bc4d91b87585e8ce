import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };
const setupFiles = ["tests/quick-hashing.mjs", "tests/fail-on-console-error.ts"];

export default defineConfig({
  resolve: { alias },
  esbuild: { jsx: "automatic" },
  test: {
    // The files of a worker share what they have loaded, and their server (tests/server/shared-server.ts).
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
          // npm test builds and lints beside them.
          testTimeout: 30_000,
        },
      },
      // One battery per port, on every driver; SQLite and PostgreSQL.
      {
        extends: true,
        test: {
          name: "contracts",
          include: ["tests/contracts/**/*.test.ts"],
          setupFiles,
          globalSetup: "tests/contracts/templates.ts",
          // Each waits for its disk most of the time.
          maxWorkers: 4,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // The built server as a child process, spoken to over HTTP.
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
      // With Firebase's Auth emulator beside it: npm run test:firebase.
      {
        extends: true,
        test: { name: "firebase", include: ["tests/firebase/**/*.test.ts"], setupFiles, testTimeout: 60_000 },
      },
      // What strangers may try and what may fail around the server, C37 to R38 of docs/hardening.md: npm run test:attack takes the
      // tests of these files that name one of them.
      {
        extends: true,
        test: {
          name: "attack",
          include: [
            "tests/attack/**/*.test.ts",
            "tests/server/{backup,failures,hostile-inputs,input,kept-page,login,mail-preview}.test.ts",
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
