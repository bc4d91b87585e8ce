/**
 * npm run lighthouse [-- dashboard]: runs Lighthouse for the landing page, or for the dashboard with the data of npm run
 * seed, as on a phone with a slow connection, three times on a server of its own; the median counts, because a busy machine
 * makes single runs worse. Exits with 1 below the promised values.
 *
 * Lighthouse is 185 MB and used only here, so it is no dependency: npx fetches it once, in this exact version, into
 * .cache/lighthouse. The last run's reports stay there too.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBrowser } from "../../scripts/browser.mjs";
import { readTail, main, run, print, UserError, toolEnvironment } from "../../scripts/child-process.mjs";
import { pinnedNode, root } from "../../scripts/prepare.mjs";
import { importAsViteDoes } from "../../scripts/vite-imports.ts";

importAsViteDoes();
const { getMedian } = await import("./measurement.ts");
const { logIn, startServer, SUPERADMIN } = await import("../server-process.ts");
const { temporaryFolder } = await import("../temporary-folder.ts");

const VERSION = "13.5.0";
const RUNS = 3;
const folder = join(root, ".cache", "lighthouse");

const PAGES = {
  landing: { path: "/", isSignedIn: false, score: 100, kibibytes: 60 },
  dashboard: { path: "/admin/dashboard", isSignedIn: true, score: 95, kibibytes: 280 },
};
/** A page with its promised score, and the most that may be transferred with all headers. */
type MeasuredPage = (typeof PAGES)[keyof typeof PAGES];
type Result = Awaited<ReturnType<typeof runLighthouse>>;

await main(async () => {
  const name = process.argv[2] ?? "landing";
  if (!isPageName(name))
    throw new UserError(`Usage: npm run lighthouse [-- ${Object.keys(PAGES).join("|")}]`);
  const page = PAGES[name];
  await ensureBrowser();
  mkdirSync(folder, { recursive: true });
  const dataDir = temporaryFolder();
  if (page.isSignedIn) await seed(dataDir);
  // The seed hashes passwords for real.
  const server = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: "silent", TEST_HASHING: "real" });
  try {
    const cookie = page.isSignedIn ? await logIn(server) : undefined;
    const url = server.origin + page.path;
    const results: Result[] = [];
    for (let number = 1; number <= RUNS; number += 1) results.push(await runLighthouse(url, cookie, number));
    return report(page, results);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
});

function isPageName(name: string): name is keyof typeof PAGES {
  return name in PAGES;
}

/** Fills a data folder as npm run seed does. */
async function seed(dataDir: string): Promise<void> {
  const env = toolEnvironment(root, {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    SUPERADMIN_PASSWORD: SUPERADMIN.password,
  });
  if ((await run(pinnedNode(), ["scripts/seed.ts"], { cwd: root, env })) !== 0)
    throw new UserError("The data could not be created; see the output above.");
}

/**
 * Runs Lighthouse with a cold cache and its defaults: a medium phone on slow 4G.
 * @param cookie of the back office's session; undefined for a public page.
 */
async function runLighthouse(url: string, cookie: string | undefined, number: number) {
  print(`Lighthouse ${VERSION}, run ${number} of ${RUNS} ...`);
  const report = join(folder, `report-${number}.json`);
  const log = join(folder, "lighthouse.log");
  const npx = ["exec", "--yes", `--cache=${folder}`, `--package=lighthouse@${VERSION}`, "--", "lighthouse"];
  const options = [
    "--quiet",
    "--output=json",
    // No search engine may list the back office.
    `--only-categories=performance,accessibility,best-practices${cookie ? "" : ",seo"}`,
    `--output-path=${report}`,
    "--chrome-flags=--headless=new --no-sandbox",
    ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
  ];
  const browser = readFileSync(join(root, ".cache", "chromium-path"), "utf8").trim();
  const env = toolEnvironment(root, { CHROME_PATH: browser });
  const attempt = () => run("npm", [...npx, url, ...options], { cwd: root, env, log, timeout: 10 * 60_000 });
  // A browser starved of CPU loses its trace: Lighthouse itself recommends another attempt.
  if ((await attempt()) !== 0 && (await attempt()) !== 0) {
    throw new UserError(`${readTail(log)}\n\nLighthouse failed twice; see its output above.`);
  }

  const { audits, categories } = JSON.parse(readFileSync(report, "utf8"));
  const requests: { transferSize: number }[] = audits["network-requests"].details.items;
  const scored: { title: string; score: number; auditRefs: { id: string; weight: number }[] }[] =
    Object.values(categories);
  return {
    scores: new Map(scored.map(({ title, score }) => [title, Math.round(score * 100)])),
    shift: Number(audits["cumulative-layout-shift"].numericValue),
    bytes: requests.reduce((sum, { transferSize }) => sum + transferSize, 0),
    lost: scored.flatMap(({ auditRefs }) =>
      auditRefs
        .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.995)
        .map(({ id }) => `${id}: ${audits[id].displayValue ?? audits[id].title}`),
    ),
  };
}

/** Prints the medians. @returns the exit code. */
function report({ score: promised, kibibytes }: MeasuredPage, results: readonly Result[]): number {
  const titles = [...(results[0]?.scores.keys() ?? [])];
  const scores = titles.map((title) => ({
    title,
    score: getMedian(results.map((result) => result.scores.get(title) ?? 0)),
  }));
  const shift = getMedian(results.map((result) => result.shift));
  const bytes = getMedian(results.map((result) => result.bytes));
  const isMet = scores.every(({ score }) => score >= promised) && shift === 0 && bytes <= kibibytes * 1024;
  for (const { title, score } of scores) print(`  ${String(score).padStart(7)}  ${title} (${promised})`);
  print(`  ${String(shift).padStart(7)}  layout shift (0)`);
  print(`  ${(bytes / 1024).toFixed(1).padStart(7)}  KiB transferred (${kibibytes})`);
  const lost = [...new Set(results.flatMap((result) => result.lost))];
  if (lost.length > 0) print(`Points were lost by:\n  ${lost.join("\n  ")}`);
  print(isMet ? "As promised." : `Below the promise; the reports are in ${folder}.`);
  return isMet ? 0 : 1;
}
