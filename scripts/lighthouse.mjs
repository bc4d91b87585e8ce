/**
 * npm run lighthouse [-- dashboard]: runs Lighthouse for the landing page, or for the dashboard with the data of npm run
 * seed, as on a phone with a slow connection, three times on a server of its own; the median counts, because a busy machine
 * makes single runs worse. Exits with 1 below the promised values.
 *
 * Lighthouse is 185 MB and used only here, so it is no dependency: npx fetches it once, in this exact version, into
 * .cache/lighthouse. The last run's reports stay there too.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { readTail, main, run, print, UserError, toolEnvironment } from "./child-process.mjs";
import { freePort } from "./free-port.mjs";
import { ensureBuilt, ensureInstalled, pinnedNode, root } from "./prepare.mjs";
import { SERVER_COMMAND, waitUntilReady } from "./server-command.mjs";

const VERSION = "13.5.0";
const RUNS = 3;
const folder = join(root, ".cache", "lighthouse");
const OPERATOR = { email: "superadmin@example.com", password: "correct horse battery" };

/**
 * @typedef {{ path: string, isSignedIn: boolean, score: number, kibibytes: number }} MeasuredPage
 *   the promised score, and the most that may be transferred with all headers
 */

/** @type {Record<string, MeasuredPage>} */
const PAGES = {
  landing: { path: "/", isSignedIn: false, score: 100, kibibytes: 60 },
  dashboard: { path: "/admin/dashboard", isSignedIn: true, score: 95, kibibytes: 175 },
};

/** @typedef {{ scores: Record<string, number>, shift: number, bytes: number, lost: string[] }} Result */

await main(async () => {
  const page = PAGES[process.argv[2] ?? "landing"];
  if (!page) throw new UserError(`Usage: npm run lighthouse [-- ${Object.keys(PAGES).join("|")}]`);
  await ensureInstalled();
  await ensureBuilt();
  await ensureBrowser();
  mkdirSync(folder, { recursive: true });
  const server = await startServer(page);
  try {
    /** @type {Result[]} */
    const results = [];
    for (let number = 1; number <= RUNS; number += 1) results.push(await runLighthouse(page, server, number));
    return report(page, results);
  } finally {
    await server.stop();
  }
});

/**
 * Starts the built product on a free port, with a data folder of its own.
 * @param {MeasuredPage} page
 */
async function startServer({ isSignedIn }) {
  const data = mkdtempSync(join(tmpdir(), "frontdesk-lighthouse-"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = toolEnvironment(root, {
    NODE_ENV: "production",
    PORT: String(port),
    HOST: "127.0.0.1",
    ORIGIN: origin,
    DATA_DIR: data,
    LOG_LEVEL: "silent",
    SUPERADMIN_EMAIL: OPERATOR.email,
    SUPERADMIN_PASSWORD: OPERATOR.password,
  });
  if (isSignedIn && (await run(pinnedNode(), ["scripts/seed.ts"], { cwd: root, env })) !== 0)
    throw new UserError("The data could not be created; see the output above.");
  const server = spawn(pinnedNode(), ["--import=./scripts/end-with-parent.mjs", ...SERVER_COMMAND], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(server, origin);
    return { origin, cookie: isSignedIn ? await logIn(origin) : undefined, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Returns the session's Cookie header.
 * @param {string} origin
 */
async function logIn(origin) {
  const response = await fetch(`${origin}/login`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(OPERATOR),
    headers: { "Sec-Fetch-Site": "same-origin" },
  });
  const [cookie] = response.headers.getSetCookie();
  if (!cookie) throw new UserError(`The login answered ${response.status} and began no session.`);
  return cookie.split(";")[0];
}

/**
 * Runs Lighthouse with a cold cache and its defaults: a medium phone on slow 4G.
 * @param {MeasuredPage} page
 * @param {{ origin: string, cookie: string | undefined }} server
 * @param {number} number of this run
 * @returns {Promise<Result>}
 */
async function runLighthouse({ path, isSignedIn }, { origin, cookie }, number) {
  print(`Lighthouse ${VERSION}, run ${number} of ${RUNS} ...`);
  const report = join(folder, `report-${number}.json`);
  const log = join(folder, "lighthouse.log");
  const npx = ["exec", "--yes", `--cache=${folder}`, `--package=lighthouse@${VERSION}`, "--", "lighthouse"];
  const options = [
    "--quiet",
    "--output=json",
    // No search engine may list the back office.
    `--only-categories=performance,accessibility,best-practices${isSignedIn ? "" : ",seo"}`,
    `--output-path=${report}`,
    "--chrome-flags=--headless=new --no-sandbox",
    ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
  ];
  const browser = readFileSync(join(root, ".cache", "chromium-path"), "utf8").trim();
  const env = toolEnvironment(root, { CHROME_PATH: browser });
  const attempt = () =>
    run("npm", [...npx, origin + path, ...options], { cwd: root, env, log, timeout: 10 * 60_000 });
  // A browser starved of CPU loses its trace: Lighthouse itself recommends another attempt.
  if ((await attempt()) !== 0 && (await attempt()) !== 0) {
    throw new UserError(`${readTail(log)}\n\nLighthouse failed twice; see its output above.`);
  }

  const { audits, categories } = JSON.parse(readFileSync(report, "utf8"));
  /** @type {{ transferSize: number }[]} */
  const requests = audits["network-requests"].details.items;
  /** @type {{ id: string, title: string, score: number, auditRefs: { id: string, weight: number }[] }[]} */
  const scored = Object.values(categories);
  return {
    scores: Object.fromEntries(scored.map(({ title, score }) => [title, Math.round(score * 100)])),
    shift: audits["cumulative-layout-shift"].numericValue,
    bytes: requests.reduce((sum, { transferSize }) => sum + transferSize, 0),
    lost: scored.flatMap(({ auditRefs }) =>
      auditRefs
        .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.995)
        .map(({ id }) => `${id}: ${audits[id].displayValue ?? audits[id].title}`),
    ),
  };
}

/**
 * Prints the medians.
 * @param {MeasuredPage} page
 * @param {Result[]} results
 * @returns {number} the exit code
 */
function report({ score: promised, kibibytes }, results) {
  const titles = Object.keys(results[0]?.scores ?? {});
  const scores = titles.map((title) => ({
    title,
    score: median(results.map((result) => result.scores[title] ?? 0)),
  }));
  const shift = median(results.map((result) => result.shift));
  const bytes = median(results.map((result) => result.bytes));
  const isMet = scores.every(({ score }) => score >= promised) && shift === 0 && bytes <= kibibytes * 1024;
  for (const { title, score } of scores) print(`  ${String(score).padStart(7)}  ${title} (${promised})`);
  print(`  ${String(shift).padStart(7)}  layout shift (0)`);
  print(`  ${(bytes / 1024).toFixed(1).padStart(7)}  KiB transferred (${kibibytes})`);
  const lost = [...new Set(results.flatMap((result) => result.lost))];
  if (lost.length > 0) print(`Points were lost by:\n  ${lost.join("\n  ")}`);
  print(isMet ? "As promised." : `Below the promise; the reports are in ${folder}.`);
  return isMet ? 0 : 1;
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
