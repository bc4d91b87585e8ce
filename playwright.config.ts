import { defineConfig } from "@playwright/test";
import { existsSync, readFileSync } from "node:fs";

/** Written by scripts/browser.mjs; without it Playwright takes the Chromium it downloaded itself. */
function chromiumPath(): string | undefined {
  const file = new URL(".cache/chromium-path", import.meta.url);
  const path = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return existsSync(path) ? path : undefined;
}

/**
 * The same journeys with JavaScript and without. What only makes sense in one of the two is tagged @js or @no-js.
 * No webServer: each journey starts the server it needs (tests/server-process.ts).
 */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // Files side by side; each journey has a server, a database and a mail server of its own.
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  reporter: "list",
  use: { trace: "retain-on-failure", launchOptions: { executablePath: chromiumPath() } },
  projects: [
    { name: "js", grepInvert: /@no-js\b/ },
    { name: "no-js", grepInvert: /@js\b/, use: { javaScriptEnabled: false } },
  ],
});
