/**
 * A Chromium for the browser journeys: one of this machine, else Playwright's own, else one that can be installed here. Where
 * this machine has the one for programs alone, most journeys take that, which is quicker. Their paths go to
 * .cache/chromium-path and .cache/headless-shell-path, which playwright.config.ts reads.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { endOf, run, say, Stop, toolEnvironment } from "./child-process.mjs";
import { pinnedNode, root } from "./prepare.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const SHELL = "chromium-headless-shell";
const INSTALL_MS = 5 * 60_000;
const LOG = join(root, ".cache", "browser.log");

/** @throws {Stop} naming what to install, when there is no browser and none can be installed */
export async function ensureBrowser() {
  const found = machineBrowser(NAMES) ?? playwrightBrowser() ?? (await installBrowser());
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(join(root, ".cache", "chromium-path"), found);
  writeFileSync(join(root, ".cache", "headless-shell-path"), machineBrowser([SHELL]) ?? "");
}

/** @param {string[]} names */
function machineBrowser(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(works);
}

function playwrightBrowser() {
  const script = "require('playwright').chromium.executablePath()";
  const { stdout } = spawnSync(pinnedNode(), ["-p", script], { cwd: root, encoding: "utf8" });
  return [stdout.trim()].find(works);
}

/**
 * Whether the browser starts. Being present is not enough: Ubuntu's chromium-browser may be a script asking for a
 * snap, and Playwright's may lack libraries.
 * @param {string} path
 */
function works(path) {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;
}

async function installBrowser() {
  const deadline = Date.now() + INSTALL_MS;
  const apt = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  // Ubuntu's package only points to a snap, which does not run in a container.
  if (apt && !isUbuntu()) {
    say("Installing Chromium with apt-get ...");
    await attempt(deadline, "apt-get", ["update"]);
    const install = ["install", "-y", "--no-install-recommends"];
    await attempt(deadline, "apt-get", [...install, "chromium"]);
    const installed = machineBrowser(NAMES);
    // Not every release has this package.
    if (installed) await attempt(deadline, "apt-get", [...install, SHELL]);
    if (installed) return installed;
  }
  say("Downloading Playwright's Chromium ...");
  const playwright = join(root, "node_modules", ".bin", "playwright");
  for (const libraries of apt ? [["--with-deps"], []] : [[]]) {
    await attempt(deadline, playwright, ["install", ...libraries, "chromium"]);
    const downloaded = playwrightBrowser();
    if (downloaded) return downloaded;
  }
  throw new Stop(
    `${endOf(LOG, 10)}\n\nThe browser journeys need Chromium and it could not be installed (see above): ` +
      "install your system's package chromium, or run npm run check to leave the journeys out.",
  );
}

function isUbuntu() {
  return existsSync("/etc/os-release") && /^ID=ubuntu$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/**
 * Runs a command; its success is judged by what it left, not by its exit code.
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
