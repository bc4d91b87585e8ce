import { cpSync, rmSync } from "node:fs";
import { testDatabase } from "../databases";
import { withDatabase } from "../faults/ledger";
import { stampOfAPerson } from "../server/visitors";
import { logIn, startServer } from "../server-process";
import { temporaryFolder } from "../temporary-folder";
import { startHelper } from "./helper-process";
import type { generateLoad } from "./load";
import { addManySubmissions, TO_FILL } from "./many-submissions";
import { getBenchSize } from "./measurement";
import { AS_ADMINISTRATOR, installDirectus, startDirectus } from "./peer-directus";
import { EARLIER, installEarlier, seedBy, startEarlier } from "./peer-earlier";
import { installNginx, startNginx } from "./peer-nginx";
import type { servePages } from "./peer-render";
import { compare, pickMedian, toSide, type Comparison } from "./rounds";
import { hasWrk, measureByWrk } from "./wrk";

const MANY = getBenchSize("BENCH_SUBMISSIONS", 1_000_000);
const ROUNDS = { warmUps: 2, rounds: 5 };
const ROUND_MS = 2000;
const LANDING = { clients: 64, seconds: ROUND_MS / 1000, headers: { "Accept-Encoding": "gzip" } };
const PAGE_CLIENTS = 4;
const PAGE_STARTS = 3;
const TABLE = "/admin/submissions/early-access";
const PAGES = [
  { name: "The dashboard", path: "/admin/dashboard" },
  { name: "A page of a table", path: TABLE },
  { name: "The logs page", path: "/admin/logs" },
];
/** Share of a page's characters in which the product's and the bare one may differ. */
const SAME_TREE = 0.03;
/** A page's rate over that of rendering its tree alone. */
const RENDER_RATIO = 0.6;
/** Processor time of the earlier commit's pages over today's. */
const EARLIER_RATIO = 2;
/** The rate of table pages at a million over Directus's lists. */
const LIST_RATIO = 1;

/**
 * Compares the product with programs that do the same or less, installed outside the project. The name of each says
 * what was not the same work. One that cannot be had here becomes a row that says why.
 */
export async function comparePeers(): Promise<Comparison[]> {
  return [...(await compareWithNginx()), ...(await comparePages()), ...(await compareWithDirectus())];
}

async function compareWithNginx(): Promise<Comparison[]> {
  const what = `GET / a second: ${LANDING.clients} keep-alive clients, gzip, sent by wrk`;
  const name =
    "nginx with a precompressed file; it sets no security headers, knows no sessions and logs nothing";
  const nginx = tryToInstall(installNginx);
  if ("reason" in nginx) return [notMeasured(what, name, nginx.reason)];
  if (!(await hasWrk())) return [notMeasured(what, name, "there is no wrk")];
  const server = await startServer();
  const page = await server.fetch("/");
  const peer = await startNginx(nginx.found, await page.text());
  const side = (of: { port: number; pid: number }, called: string) =>
    toSide(called, of, () => measureByWrk(of.port, LANDING));
  const compared = await compare(what, side(server, "the product"), side(peer, name), ROUNDS);
  await Promise.all([server.remove(), peer.stop()]);
  return [compared];
}

/** Compares pages of the back office with rendering their trees alone, and with an earlier commit. */
async function comparePages(): Promise<Comparison[]> {
  const dataDir = temporaryFolder();
  seedBy(process.cwd(), dataDir);
  const cookie = await logInAt(dataDir);
  const earlier = seedEarlier();
  const starts: Comparison[][] = [];
  for (let start = 0; start < PAGE_STARTS; start += 1)
    starts.push(await compareOneStart(dataDir, cookie, earlier));
  if ("dataDir" in earlier) rmSync(earlier.dataDir, { recursive: true });
  rmSync(dataDir, { recursive: true });
  const [first = []] = starts;
  return first.map((_, row) => pickMedian(starts.flatMap((rows) => rows[row] ?? [])));
}

async function compareOneStart(dataDir: string, cookie: string, earlier: Earlier): Promise<Comparison[]> {
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true });
  const server = await startServer({ DATA_DIR: dataDir });
  const product = { port: server.port, pid: server.pid, cookie };
  const render = startHelper<typeof servePages>("./peer-render.ts", {
    DATA_DIR: copy,
    NODE_ENV: "production",
  });
  const { port } = await render.call({ paths: PAGES.map(({ path }) => path), cookie });
  const bare = { port, pid: render.pid, cookie };
  for (const { path } of PAGES) await checkSameTree(path, product, bare);
  const measured = await comparePagesWith(bare, product, {
    name: "renderToPipeableStream of the same tree and compression alone; it runs no loaders, checks no session and encodes no data",
    aim: RENDER_RATIO,
  });
  await render.stop();
  measured.push(...(await comparePagesWithEarlier(product, earlier)));
  await server.stop();
  rmSync(copy, { recursive: true });
  return measured;
}

interface Target {
  readonly port: number;
  readonly pid: number;
  readonly cookie: string;
}

async function comparePagesWith(
  other: Target,
  product: Target,
  { name, aim }: { name: string; aim: number },
): Promise<Comparison[]> {
  const load = startHelper<typeof generateLoad>("./load.ts");
  const request = { clients: PAGE_CLIENTS, ms: ROUND_MS, status: 200 };
  const side = ({ port, pid, cookie }: Target, called: string, path: string) =>
    toSide(called, { pid }, () => load.call({ ...request, port, path, headers: { Cookie: cookie } }));
  const measured: Comparison[] = [];
  for (const { name: title, path } of PAGES) {
    const what = `${title} a second: ${PAGE_CLIENTS} keep-alive clients`;
    const sides = [side(product, "the product", path), side(other, name, path)] as const;
    measured.push(await compare(what, ...sides, { ...ROUNDS, aim }));
  }
  await load.stop();
  return measured;
}

type Earlier = ReturnType<typeof seedEarlier>;

/** Installs the earlier commit, and fills a data folder for it. */
function seedEarlier() {
  const earlier = tryToInstall(installEarlier);
  if ("reason" in earlier) return earlier;
  const dataDir = temporaryFolder();
  seedBy(earlier.found, dataDir);
  return { ...earlier, dataDir };
}

/** The ratio of these rows is that of the processor times. */
async function comparePagesWithEarlier(product: Target, earlier: Earlier): Promise<Comparison[]> {
  const name = `commit ${EARLIER}, by processor time; its pages have its own look, over its own seed of the same size`;
  if ("reason" in earlier)
    return PAGES.map((page) => notMeasured(page.name, name, earlier.reason, EARLIER_RATIO));
  const server = await startEarlier(earlier.found, earlier.dataDir);
  const cookie = await logIn(server);
  const { port, pid } = server;
  const measured = await comparePagesWith({ port, pid, cookie }, product, { name, aim: EARLIER_RATIO });
  await server.stop();
  return measured.map((each) => ({ ...each, ratio: each.cpuRatio }));
}

async function compareWithDirectus(): Promise<Comparison[]> {
  const rows = MANY.toLocaleString("en");
  const table = `A page of a table of ${rows} a second: one client`;
  const list = "Directus 12.4.0 on SQLite, its list of 25 with the total count; JSON, no page around it";
  const signup = `Signups a second beside ${rows}: one client`;
  const post =
    "Directus 12.4.0 on SQLite, POST of an item by an administrator; no search index, limits or confirmation, but a revision";
  const directus = tryToInstall(installDirectus);
  if ("reason" in directus)
    return [
      notMeasured(table, list, directus.reason, LIST_RATIO),
      notMeasured(signup, post, directus.reason),
    ];
  const database = await testDatabase("sqlite");
  const population = { count: MANY, only: "early-access" } as const;
  await withDatabase(database, (opened) => addManySubmissions(opened, population), TO_FILL);
  const server = await startServer({ ...database.environment, TRUST_PROXY: "1" });
  const peer = await startDirectus(directus.found, MANY);
  const load = startHelper<typeof generateLoad>("./load.ts");
  const by = ({ port, pid }: { port: number; pid: number }, name: string, request: RequestOfLoad) =>
    toSide(name, { pid }, () => load.call({ port, clients: 1, ms: ROUND_MS, ...request }));
  const headers = { Cookie: await logIn(server) };
  const listed = await compare(
    table,
    by(server, "the product", { path: TABLE, headers, status: 200 }),
    by(peer, list, { path: peer.list, headers: AS_ADMINISTRATOR, status: 200 }),
    { ...ROUNDS, aim: LIST_RATIO },
  );
  const form = `name=Visitor+#&email=visitor-#%40signup.test&company=Acme&role=developer&stamp=${await stampOfAPerson(server)}&website=`;
  const item = `{"name":"Visitor #","email":"visitor-#@signup.test","company":"Acme","role":"developer"}`;
  const posted = await compare(
    signup,
    by(server, "the product", { path: "/early-access", form, status: 303 }),
    by(peer, post, { path: "/items/submissions", form: item, headers: AS_ADMINISTRATOR, status: 200 }),
    ROUNDS,
  );
  await Promise.all([server.remove(), peer.remove(), load.stop()]);
  await database.remove();
  return [listed, posted];
}

type RequestOfLoad = Pick<Parameters<typeof generateLoad>[0], "path" | "form" | "headers" | "status">;

/** Logs in at a server of its own, which has ended when the data folder is copied. The seed hashes passwords for real. */
async function logInAt(dataDir: string): Promise<string> {
  const server = await startServer({ DATA_DIR: dataDir, TEST_HASHING: "real" });
  const cookie = await logIn(server);
  await server.stop();
  return cookie;
}

/** @throws when the two pages differ by more than their nonces, ids and log lines can. */
async function checkSameTree(path: string, product: Target, bare: Target): Promise<void> {
  const getLength = async ({ port, cookie }: Target) => {
    const response = await fetch(`http://localhost:${port}${path}`, { headers: { Cookie: cookie } });
    return (await response.text()).length;
  };
  const [own, other] = [await getLength(product), await getLength(bare)];
  if (Math.abs(own - other) > SAME_TREE * own)
    throw new Error(`${path} has ${own} characters, and rendered alone ${other}`);
}

/** Returns what `install` found, or the reason why the peer cannot be had here. */
function tryToInstall(install: () => string): { found: string } | { reason: string } {
  try {
    return { found: install() };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    console.error(error);
    return { reason };
  }
}

/** Makes the row of a peer that cannot be had here. */
function notMeasured(what: string, peer: string, reason: string, aim?: number): Comparison {
  const unknown = { perSecond: NaN, cpuMs: NaN };
  return {
    what,
    product: { name: "the product", ...unknown },
    other: { name: `${peer}; **not measured**: ${reason}`, ...unknown },
    ratio: NaN,
    cpuRatio: NaN,
    aim,
  };
}
