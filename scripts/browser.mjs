/**
 * Provides a Chromium for the browser tests: this machine's, otherwise Playwright's, otherwise one installed here. Most
 * tests use the quicker headless shell where this machine has it. The paths are written to .cache/chromium-path and
 * .cache/headless-shell-path, which playwright.config.ts reads.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readTail, run, print, UserError, toolEnvironment } from "./child-process.mjs";
import { pinnedNode, root } from "./prepare.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const SHELL = "chromium-headless-shell";
const INSTALL_MS = 5 * 60_000;
const LOG = join(root, ".cache", "browser.log");

/** @throws {UserError} naming what to install, when there is no browser and none can be installed */
export async function ensureBrowser() {
  const browser = findOnMachine(NAMES) ?? findPlaywrights() ?? (await installBrowser());
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(join(root, ".cache", "chromium-path"), browser);
  writeFileSync(join(root, ".cache", "headless-shell-path"), findOnMachine([SHELL]) ?? "");
}

/** @param {string[]} names */
function findOnMachine(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(canStart);
}

function findPlaywrights() {
  const script = "require('playwright').chromium.executablePath()";
  const { stdout } = spawnSync(pinnedNode(), ["-p", script], { cwd: root, encoding: "utf8" });
  return [stdout.trim()].find(canStart);
}

/**
 * Returns whether the browser starts. Being present is not enough: Ubuntu's chromium-browser may be a script that asks
 * for a snap, and Playwright's may lack libraries.
 * @param {string} path
 */
function canStart(path) {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;
}

async function installBrowser() {
  const deadline = Date.now() + INSTALL_MS;
  const apt = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  // Ubuntu's package only points to a snap, which does not run in a container.
  if (apt && !isUbuntu()) {
    print("Installing Chromium with apt-get ...");
    await attempt(deadline, "apt-get", ["update"]);
    const install = ["install", "-y", "--no-install-recommends"];
    await attempt(deadline, "apt-get", [...install, "chromium"]);
    const installed = findOnMachine(NAMES);
    // Not every release has this package.
    if (installed) await attempt(deadline, "apt-get", [...install, SHELL]);
    if (installed) return installed;
  }
  print("Downloading Playwright's Chromium ...");
  const playwright = join(root, "node_modules", ".bin", "playwright");
  for (const libraries of apt ? [["--with-deps"], []] : [[]]) {
    await attempt(deadline, playwright, ["install", ...libraries, "chromium"]);
    const downloaded = findPlaywrights();
    if (downloaded) return downloaded;
  }
  throw new UserError(
    `${readTail(LOG, 10)}\n\nThe browser journeys need Chromium and it could not be installed (see above): ` +
      "install your system's chromium package, or run npm run check, which skips them.",
  );
}

function isUbuntu() {
  return existsSync("/etc/os-release") && /^ID=ubuntu$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/**
 * Runs a command; the caller checks what it installed, not its exit code.
 * @param {number} deadline
 * @param {string} command
 * @param {string[]} args
 */
async function attempt(deadline, command, args) {
  const env = toolEnvironment(root, {
    DEBIAN_FRONTEND: "noninteractive",
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000",
  });
  const timeout = Math.max(deadline - Date.now(), 1);
  await run(command, args, { cwd: root, env, log: LOG, timeout });
}
