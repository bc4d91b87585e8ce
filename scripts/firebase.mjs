/**
 * npm run test:firebase: signs in at Firebase's own Auth emulator with the page's library, and verifies with the server's. What
 * the emulator cannot say (it signs nothing) is proved with signed tokens in npm test.
 *
 * firebase-tools is 400 MB and needed here alone, so it is no dependency: npx fetches it once, in this exact version, into
 * .cache/firebase-tools. Where it cannot be had the run says so and ends with 0.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endOf, main, run, say, Stop, toolEnvironment } from "./child-process.mjs";
import { freePort } from "./free-port.mjs";
import { checkMachine, ensureInstalled, root } from "./prepare.mjs";

const VERSION = "15.34.2";
/** A name with this prefix reaches no project at Google. */
const PROJECT = "demo-frontdesk";
const folder = join(root, ".cache", "firebase-tools");
const log = join(folder, "firebase.log");

await main(async () => {
  checkMachine();
  await ensureInstalled();
  mkdirSync(folder, { recursive: true });
  if (!(await isFetched())) return 0;
  const config = join(folder, "firebase.json");
  writeFileSync(config, JSON.stringify({ emulators: await emulators() }));
  const code = await firebase(
    "emulators:exec",
    "--only=auth",
    `--project=${PROJECT}`,
    `--config=${config}`,
    "vitest run --project firebase",
  );
  if (code !== 0) throw new Stop("The emulator or a test failed; see above.", code);
});

async function isFetched() {
  say(`Fetching firebase-tools ${VERSION} unless it is there ...`);
  const code = await run("npm", npx("--version"), {
    cwd: root,
    env: environment(),
    log,
    timeout: 20 * 60_000,
  });
  if (code === 0) return true;
  say(`Skipped: firebase-tools could not be fetched. The end of what npm said:\n${endOf(log, 5)}`);
  return false;
}

/** @param {string[]} args */
function firebase(...args) {
  return run("npm", npx(...args), { cwd: root, env: environment() });
}

/** @param {string[]} args */
function npx(...args) {
  // Its install scripts compile parts that the Auth emulator does not need, for ten minutes.
  const own = [`--cache=${folder}`, `--package=firebase-tools@${VERSION}`, "--ignore-scripts"];
  return ["exec", "--yes", ...own, "--", "firebase", ...args];
}

/** Returns the environment: settings stay in its folder, and it never prompts. */
function environment() {
  return toolEnvironment(root, { CI: "true", XDG_CONFIG_HOME: folder });
}

async function emulators() {
  const [auth, hub, logging] = [await freePort(), await freePort(), await freePort()];
  const at = (/** @type {number} */ port) => ({ host: "127.0.0.1", port });
  return { auth: at(auth), hub: at(hub), logging: at(logging), ui: { enabled: false } };
}
