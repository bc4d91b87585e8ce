import { defineConfig } from "@playwright/test";
import { existsSync, readFileSync } from "node:fs";

/** Written by scripts/browser.mjs; without it Playwright takes the one it downloaded itself. */
function browserIn(file: string): string | undefined {
  const url = new URL(`.cache/${file}`, import.meta.url);
  const path = existsSync(url) ? readFileSync(url, "utf8").trim() : "";
  return existsSync(path) ? path : undefined;
}

const chromium = browserIn("chromium-path");
// Draws nothing for a window that nobody sees, which is a fifth of the time. It has no notifications.
const headlessShell = browserIn("headless-shell-path") ?? chromium;
// So does drawing as if for a graphics card.
const launched = (executablePath: string | undefined) => ({
  launchOptions: { executablePath, args: ["--disable-gpu"] },
});

/**
 * The same journeys with JavaScript and without. What only makes sense in one of the two is tagged @js or @no-js, as is what
 * tests/server asks without a browser too; what needs a browser that shows notifications, with JavaScript too, @push.
 * No webServer: each worker keeps the servers its journeys need (tests/e2e/shared-servers.ts).
 */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // Side by side; no two workers share a server, a database or a mail server.
  workers: 3,
  fullyParallel: true,
  // A busy machine is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  forbidOnly: true,
  reporter: "list",
  // Traces cost a sixth of the time: --trace retain-on-failure when one is needed.
  use: launched(headlessShell),
  projects: [
    { name: "js", grepInvert: /@(?:no-js|push)\b/ },
    { name: "push", grep: /@push\b/, use: launched(chromium) },
    { name: "no-js", grepInvert: /@(?:js|push)\b/, use: { javaScriptEnabled: false } },
  ],
});
