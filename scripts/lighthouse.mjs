/**
 * npm run lighthouse: what a phone on a slow line makes of the landing page, judged by Lighthouse three times on a server of
 * its own; the median counts, because a busy machine makes single runs worse. Ends with 1 below what is promised.
 *
 * Lighthouse is 185 MB and needed here alone, so it is no dependency: npx fetches it once, in this exact version, into
 * .cache/lighthouse. Reports of the last run stay there too.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureBrowser } from "./browser.mjs";
import { endOf, main, run, say, Stop, toolEnvironment } from "./child-process.mjs";
import { freePort } from "./free-port.mjs";
import { checkMachine, ensureBuilt, ensureInstalled, pinnedNode, root } from "./prepare.mjs";
import { SERVER_COMMAND } from "./server-command.mjs";

const VERSION = "13.5.0";
const RUNS = 3;
const CATEGORIES = "performance,accessibility,best-practices,seo";
const TRANSFER_LIMIT_BYTES = 150 * 1024;
const folder = join(root, ".cache", "lighthouse");

/** @typedef {{ scores: Record<string, number>, shift: number, bytes: number, lost: string[] }} Judgement */

await main(async () => {
  checkMachine();
  await ensureInstalled();
  await ensureBuilt();
  await ensureBrowser();
  mkdirSync(folder, { recursive: true });
  const server = await startServer();
  try {
    /** @type {Judgement[]} */
    const judgements = [];
    for (let turn = 1; turn <= RUNS; turn += 1) judgements.push(await runLighthouse(server.origin, turn));
    return verdict(judgements);
  } finally {
    await server.stop();
  }
});

/** Starts the built product on a free port, with a data folder of its own. */
async function startServer() {
  const data = mkdtempSync(join(tmpdir(), "frontdesk-lighthouse-"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const server = spawn(pinnedNode(), ["--import=./scripts/end-with-parent.mjs", ...SERVER_COMMAND], {
    cwd: root,
    env: toolEnvironment(root, {
      NODE_ENV: "production",
      PORT: String(port),
      HOST: "127.0.0.1",
      ORIGIN: origin,
      DATA_DIR: data,
      LOG_LEVEL: "silent",
    }),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await fetch(`${origin}/readyz`)
      .then((answer) => answer.ok)
      .catch(() => false);
    if (ready) return { origin, stop };
    if (server.exitCode !== null) break;
    await pause(100);
  }
  await stop();
  throw new Stop("The server did not get ready.");
}

/**
 * One run with a cold cache, as Lighthouse's own defaults have it: a middling phone on slow 4G.
 * @param {string} origin
 * @param {number} turn
 * @returns {Promise<Judgement>}
 */
async function runLighthouse(origin, turn) {
  say(`Lighthouse ${VERSION}, run ${turn} of ${RUNS} ...`);
  const report = join(folder, `report-${turn}.json`);
  const log = join(folder, "lighthouse.log");
  const npx = ["exec", "--yes", `--cache=${folder}`, `--package=lighthouse@${VERSION}`, "--", "lighthouse"];
  const options = [
    "--quiet",
    "--output=json",
    `--only-categories=${CATEGORIES}`,
    `--output-path=${report}`,
    "--chrome-flags=--headless=new --no-sandbox",
  ];
  const browser = readFileSync(join(root, ".cache", "chromium-path"), "utf8").trim();
  const env = toolEnvironment(root, { CHROME_PATH: browser });
  const once = () =>
    run("npm", [...npx, `${origin}/`, ...options], { cwd: root, env, log, timeout: 10 * 60_000 });
  // A browser starved of CPU loses its trace: Lighthouse itself recommends another attempt.
  if ((await once()) !== 0 && (await once()) !== 0) {
    throw new Stop(`${endOf(log)}\n\nLighthouse failed twice; its output stands above.`);
  }

  const { audits, categories } = JSON.parse(readFileSync(report, "utf8"));
  /** @type {{ transferSize: number }[]} */
  const requests = audits["network-requests"].details.items;
  /** @type {{ id: string, title: string, score: number, auditRefs: { id: string, weight: number }[] }[]} */
  const judged = Object.values(categories);
  return {
    scores: Object.fromEntries(judged.map(({ title, score }) => [title, Math.round(score * 100)])),
    shift: audits["cumulative-layout-shift"].numericValue,
    bytes: requests.reduce((sum, { transferSize }) => sum + transferSize, 0),
    lost: judged.flatMap(({ auditRefs }) =>
      auditRefs
        .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.995)
        .map(({ id }) => `${id}: ${audits[id].displayValue ?? audits[id].title}`),
    ),
  };
}

/**
 * @param {Judgement[]} judgements
 * @returns {number} the exit code
 */
function verdict(judgements) {
  const titles = Object.keys(judgements[0]?.scores ?? {});
  const scores = titles.map((title) => ({
    title,
    score: median(judgements.map((one) => one.scores[title] ?? 0)),
  }));
  const shift = median(judgements.map((one) => one.shift));
  const bytes = median(judgements.map((one) => one.bytes));
  const kept = scores.every(({ score }) => score === 100) && shift === 0 && bytes <= TRANSFER_LIMIT_BYTES;
  for (const { title, score } of scores) say(`  ${String(score).padStart(7)}  ${title} (100)`);
  say(`  ${String(shift).padStart(7)}  layout shift (0)`);
  say(`  ${(bytes / 1024).toFixed(1).padStart(7)}  KiB transferred (${TRANSFER_LIMIT_BYTES / 1024})`);
  const lost = [...new Set(judgements.flatMap((one) => one.lost))];
  if (lost.length > 0) say(`Points were lost by:\n  ${lost.join("\n  ")}`);
  say(kept ? "As promised." : `Below the promise; the reports are in ${folder}.`);
  return kept ? 0 : 1;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
