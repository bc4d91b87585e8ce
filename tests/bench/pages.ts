import { cpSync, rmSync } from "node:fs";
import { runNode } from "../run-node";
import { logIn, startServer, SUPERADMIN } from "../server-process";
import { temporaryFolder } from "../temporary-folder";
import type { servePages } from "./bare-render";
import { startHelper } from "./helper-process";
import type { generateLoad } from "./load";
import { compare, pickMedian, toSide, type Comparison } from "./rounds";

const PAGES = [
  { name: "The dashboard", path: "/admin/dashboard" },
  { name: "A page of a table", path: "/admin/submissions/early-access" },
  { name: "The logs page", path: "/admin/logs" },
];
const CLIENTS = 4;
const STARTS = 3;
const ROUND_MS = 2000;
/** A page's rate over that of rendering its tree alone. */
const ROUNDS = { warmUps: 2, rounds: 5, aim: 0.5 };
const REFERENCE =
  "renderToPipeableStream of the same tree and compression alone; it runs no loaders, checks no session and encodes no data";

/** Compares pages of the back office, over 90 days of made-up data, with rendering their trees alone. */
export async function comparePages(): Promise<Comparison[]> {
  const dataDir = temporaryFolder();
  const seeded = await runNode(["scripts/seed.ts", "--size", "large"], {
    DATA_DIR: dataDir,
    SUPERADMIN_PASSWORD: SUPERADMIN.password,
  });
  if (seeded.code !== 0) throw new Error(seeded.output);
  const starts: Comparison[][] = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await compareOneStart(dataDir));
  rmSync(dataDir, { recursive: true });
  return PAGES.map((_, page) => pickMedian(starts.flatMap((rows) => rows[page] ?? [])));
}

async function compareOneStart(dataDir: string): Promise<Comparison[]> {
  // The seed hashes passwords for real.
  const server = await startServer({ DATA_DIR: dataDir, TEST_HASHING: "real" });
  const cookie = await logIn(server);
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true });
  const bare = startHelper<typeof servePages>("./bare-render.ts", { DATA_DIR: copy, NODE_ENV: "production" });
  const { port } = await bare.call({ paths: PAGES.map(({ path }) => path), cookie });
  const load = startHelper<typeof generateLoad>("./load.ts");
  const side = (name: string, of: { port: number; pid: number }, path: string) =>
    toSide(name, of, () =>
      load.call({
        clients: CLIENTS,
        ms: ROUND_MS,
        status: 200,
        port: of.port,
        path,
        headers: { Cookie: cookie },
      }),
    );
  const measured: Comparison[] = [];
  for (const { name, path } of PAGES) {
    await checkSameTree(path, cookie, [server.port, port]);
    const sides = [
      side("the product", server, path),
      side(REFERENCE, { port, pid: bare.pid }, path),
    ] as const;
    measured.push(await compare(`${name} a second: ${CLIENTS} keep-alive clients`, ...sides, ROUNDS));
  }
  await Promise.all([load.stop(), bare.stop(), server.stop()]);
  rmSync(copy, { recursive: true });
  return measured;
}

/** @throws when the two pages differ by more elements than their log lines and times can. */
async function checkSameTree(path: string, cookie: string, ports: readonly number[]): Promise<void> {
  const count = async (port: number) => {
    const response = await fetch(`http://localhost:${port}${path}`, { headers: { Cookie: cookie } });
    return (await response.text()).split("</").length;
  };
  const [own = 0, other = 0] = await Promise.all(ports.map(count));
  if (Math.abs(own - other) > own / 20)
    throw new Error(`${path} has ${own} elements, and rendered alone ${other}`);
}
