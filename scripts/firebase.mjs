/**
 * npm run test:firebase: signs in at Firebase's Auth emulator with the page's library, and verifies with the server's. The
 * emulator signs nothing; npm test checks signed tokens.
 *
 * firebase-tools is 400 MB and used only here, so it is no dependency: npx fetches it once, in this exact version, into
 * .cache/firebase-tools. Without it the run prints so and exits with 0.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTail, main, run, print, UserError, toolEnvironment } from "./child-process.mjs";
import { freePort } from "./free-port.mjs";
import { ensureInstalled, root } from "./prepare.mjs";

const VERSION = "15.34.2";
/** A name with this prefix reaches no project at Google. */
const PROJECT = "demo-frontdesk";
const folder = join(root, ".cache", "firebase-tools");
const log = join(folder, "firebase.log");
/** The tool stores its settings in its folder and never prompts. */
const env = toolEnvironment(root, { CI: "true", XDG_CONFIG_HOME: folder });

await main(async () => {
  await ensureInstalled();
  mkdirSync(folder, { recursive: true });
  if (!(await fetchTools())) return 0;
  const config = join(folder, "firebase.json");
  writeFileSync(config, JSON.stringify({ emulators: await configureEmulators() }));
  const command = npx(
    "emulators:exec",
    "--only=auth",
    `--project=${PROJECT}`,
    `--config=${config}`,
    "vitest run --project firebase",
  );
  const code = await run("npm", command, { cwd: root, env });
  if (code !== 0) throw new UserError("The emulator or a test failed; see above.", code);
});

async function fetchTools() {
  print(`Fetching firebase-tools ${VERSION} unless it is there ...`);
  const code = await run("npm", npx("--version"), { cwd: root, env, log, timeout: 20 * 60_000 });
  if (code === 0) return true;
  print(`Skipped: firebase-tools could not be fetched. The end of npm's output:\n${readTail(log, 5)}`);
  return false;
}

/** @param {string[]} args */
function npx(...args) {
  // Its install scripts compile parts that the Auth emulator does not need, for ten minutes.
  const own = [`--cache=${folder}`, `--package=firebase-tools@${VERSION}`, "--ignore-scripts"];
  return ["exec", "--yes", ...own, "--", "firebase", ...args];
}

async function configureEmulators() {
  const [auth, hub, logging] = [await freePort(), await freePort(), await freePort()];
  const at = (port) => ({ host: "127.0.0.1", port });
  return { auth: at(auth), hub: at(hub), logging: at(logging), ui: { enabled: false } };
}
