/**
 * npm run test:container: executes the steps of the Dockerfile without a container engine, in a folder of its own, and
 * runs the result as a container would: not as root, with read-only code and data elsewhere. The base image, which needs
 * an engine, is not tested.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readTail, machinePath, main, run, print, UserError } from "./child-process.mjs";
import { parseCommand, createIgnoreFilter, parseDockerfile } from "./dockerfile.mjs";
import { freePort } from "./free-port.mjs";
import { ensureInstalled, pinnedNode, root } from "./prepare.mjs";

/** The uid of "nobody" on every machine; the image has a user `node` instead. */
const USER = 65_534;
const READY_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 15_000;

/**
 * A stage; its file system is a folder.
 * @typedef {{ folder: string, workdir: string, env: Record<string, string>, user: string, health: string[], command: string[] }} Image
 */

await main(async () => {
  await ensureInstalled();
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-container-"));
  chmodSync(folder, 0o755);
  try {
    const image = await build(folder);
    checkContents(image);
    await serve(image, join(folder, "bin", "node"));
    print("The container's steps work.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} folder @returns {Promise<Image>} of the last stage */
async function build(folder) {
  mkdirSync(join(folder, "bin"));
  copyFileSync(realpathSync(pinnedNode()), join(folder, "bin", "node"));
  const isIgnored = createIgnoreFilter(readFileSync(join(root, ".dockerignore"), "utf8"));
  /** @type {Map<string, Image>} */
  const images = new Map();
  const stages = parseDockerfile(readFileSync(join(root, "Dockerfile"), "utf8"));
  for (const [number, { name, steps }] of stages.entries()) {
    /** @type {Image} */
    const image = {
      folder: join(folder, `stage-${number}`),
      workdir: "/",
      env: {},
      user: "root",
      health: [],
      command: [],
    };
    mkdirSync(image.folder);
    for (const { kind, text } of steps) {
      if (kind === "RUN") await runStep(image, text, folder);
      else if (kind === "COPY") copy(image, text, { images, isIgnored });
      else if (kind === "WORKDIR")
        mkdirSync(resolveInImage(image, (image.workdir = text)), { recursive: true });
      else if (kind === "USER") image.user = text;
      else if (kind === "HEALTHCHECK") image.health = parseCommand(text);
      else if (kind === "CMD") image.command = parseCommand(text);
      else if (kind === "ENV")
        for (const [, key = "", value = ""] of text.matchAll(/(\w+)=(\S+)/g)) image.env[key] = value;
    }
    images.set(name, image);
  }
  const last = [...images.values()].at(-1);
  if (!last || last.user === "root" || last.health.length === 0 || last.command.length === 0) {
    throw new UserError("The image needs a USER that is not root, a HEALTHCHECK and a CMD.");
  }
  return last;
}

/** @param {Image} image @param {string} path as the stage sees it */
function resolveInImage({ folder, workdir }, path) {
  return join(folder, resolve(workdir, path));
}

/** @param {Image} image @param {string} text @param {string} folder */
async function runStep(image, text, folder) {
  print(`RUN ${text}`);
  const log = join(folder, "step.log");
  const ids = process.getuid?.() === 0 ? `${USER}:${USER}` : `${process.getuid?.()}:${process.getgid?.()}`;
  const mapped = text
    .replaceAll("node:node", ids)
    .replace(/(?<=\s)\/[\w/.-]+/g, (path) => resolveInImage(image, path));
  // The machine's environment has its network settings.
  const env = {
    ...process.env,
    PATH: [join(folder, "bin"), machinePath(root)].join(delimiter),
    npm_config_cache: join(folder, "npm"),
    ...image.env,
  };
  const code = await run("sh", ["-c", mapped], { cwd: resolveInImage(image, "."), env, log });
  if (code !== 0) throw new UserError(`${readTail(log)}\n\nThis step failed: RUN ${text}`);
}

/**
 * @param {Image} image
 * @param {string} text
 * @param {{ images: Map<string, Image>, isIgnored: (path: string) => boolean }} deps
 */
function copy(image, text, { images, isIgnored }) {
  const [, stage, names = ""] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(text) ?? [];
  const other = stage === undefined ? undefined : images.get(stage);
  if (stage !== undefined && !other) throw new UserError(`There is no such stage: COPY ${text}`);
  const sources = names.split(/\s+/);
  const target = resolveInImage(image, sources.pop() ?? ".");
  for (const source of sources) {
    const from = other ? resolveInImage(other, source) : join(root, source);
    const isExcluded = (path) => !other && isIgnored(relative(root, path));
    if (!existsSync(from) || (from !== root && isExcluded(from))) {
      throw new UserError(`${source} does not exist, or .dockerignore leaves it out: COPY ${text}`);
    }
    const into = statSync(from).isDirectory() ? target : join(target, basename(from));
    cpSync(from, into, { recursive: true, filter: (path) => path === root || !isExcluded(path) });
  }
}

/**
 * Prints the size that the image adds to its base, and fails when it contains development packages or tests.
 * @param {Image} image
 */
function checkContents(image) {
  const files = globSync("**/*", { cwd: image.folder });
  const bytes = (paths) => paths.reduce((sum, path) => sum + lstatSync(join(image.folder, path)).size, 0);
  const megabytes = (paths) => Math.round(bytes(paths) / 1_000_000);
  const packages = files.filter((path) => path.includes("node_modules/"));
  print(
    `The image adds ${megabytes(files)} MB to its base: ${megabytes(packages)} MB packages, ${files.length} files.`,
  );
  /** @type {Record<string, { dev?: boolean }>} */
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const needless = Object.keys(locked).filter(
    (path) => locked[path]?.dev && existsSync(resolveInImage(image, path)),
  );
  if (needless.length > 0)
    throw new UserError(`Development packages are in the image: ${needless.join(", ")}`);
  const tests = files.filter((path) => !path.includes("node_modules/") && /\.test\./.test(path));
  if (tests.length > 0) throw new UserError(`Tests are in the image: ${tests.join(", ")}`);
}

/**
 * Starts CMD, probes it as an engine would, signs up and stops it.
 * @param {Image} image
 * @param {string} node
 */
async function serve(image, node) {
  const app = resolveInImage(image, ".");
  spawnSync("chmod", ["-R", "a-w,a+rX", app]);
  const port = String(await freePort());
  const env = {
    ...image.env,
    PATH: "/usr/bin:/bin",
    PORT: port,
    HOST: "127.0.0.1",
    DATA_DIR: resolveInImage(image, image.env.DATA_DIR ?? "/data"),
  };
  const isRoot = process.getuid?.() === 0;
  const start = ([, ...args], stdio) => {
    const options = { cwd: app, env, stdio: ["ignore", stdio, stdio] };
    const asUser = [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", node, ...args];
    return isRoot ? spawn("setpriv", asUser, options) : spawn(node, args, options);
  };
  const isHealthy = async () => (await once(start(image.health, "ignore"), "exit"))[0] === 0;
  if (await isHealthy()) throw new UserError("The HEALTHCHECK passes although nothing runs.");

  const server = start(image.command, "pipe");
  let output = "";
  server.stdout?.on("data", (chunk) => (output += chunk));
  server.stderr?.on("data", (chunk) => (output += chunk));
  const origin = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(server, origin);
    if (!(await isHealthy())) throw new UserError("The HEALTHCHECK fails although the server runs.");
    await signUp(origin);
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    const [code] = await Promise.race([ended, pause(ENDS_WITHIN_MS, ["not in time"], { ref: false })]);
    if (code !== 0) throw new UserError(`After SIGTERM the server ended with ${code}.`);
  } catch (error) {
    print(output);
    throw error;
  } finally {
    server.kill("SIGKILL");
  }
}

/** @param {import("node:child_process").ChildProcess} server @param {string} origin */
async function waitUntilReady(server, origin) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await fetch(`${origin}/readyz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new UserError("The server did not become ready.");
    await pause(100);
  }
}

/** Signs up as a visitor's browser does. @param {string} origin */
async function signUp(origin) {
  const html = await (await fetch(`${origin}/early-access`)).text();
  const stamp = /name="stamp" value="([^"]+)"/.exec(html)?.[1] ?? "";
  // A quicker submission counts as automated.
  await pause(2500);
  const form = { name: "Ada Byron", email: "ada@example.com", company: "", role: "", website: "", stamp };
  const response = await fetch(`${origin}/early-access`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(form),
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  const location = response.headers.get("Location");
  if (response.status !== 303 || location !== "/early-access?notice=registered") {
    throw new UserError(`A signup got ${response.status} ${location}.`);
  }
}
