import SqliteFile from "better-sqlite3";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.mjs";
import { installPeer, runIn, startPeer } from "./peer";
import { temporaryFolder } from "../temporary-folder";

const VERSION = "12.4.0";
const TOKEN = "a-token-of-the-bench-only";
const COMMAND = "node_modules/directus/cli.js";

/** Headers of a request by its administrator. */
export const AS_ADMINISTRATOR = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };

/** Installs Directus with npm, with SQLite built here and without the isolated VM of its flows, which nothing measured uses. */
export function installDirectus(): string {
  return installPeer("directus", (folder) => {
    writeFileSync(join(folder, "package.json"), "{}");
    runIn(folder, ["npm", "install", "--save-exact", "--no-audit", "--no-fund", `directus@${VERSION}`]);
    const sqlite = join(folder, "node_modules/sqlite3");
    if (!existsSync(join(sqlite, "build/Release/node_sqlite3.node")))
      runIn(sqlite, ["npx", "--no-install", "node-gyp", "rebuild", "--release", ...getHeaders()]);
    writeFileSync(join(folder, "node_modules/isolated-vm/isolated-vm.js"), "module.exports = {};\n");
  });
}

/** Node's headers where a distribution keeps them; elsewhere node-gyp fetches them. */
function getHeaders(): string[] {
  return existsSync("/usr/include/node/node_api.h") ? ["--nodedir=/usr"] : [];
}

/** Starts Directus on a new SQLite file with a collection of early access signups. */
export async function startDirectus(folder: string, rows: number) {
  const dataDir = temporaryFolder();
  const file = join(dataDir, "directus.db");
  const port = await freePort();
  const environment = {
    HOST: "127.0.0.1",
    PORT: String(port),
    DB_CLIENT: "sqlite3",
    DB_FILENAME: file,
    SECRET: TOKEN,
    ADMIN_EMAIL: "superadmin@example.com",
    ADMIN_PASSWORD: TOKEN,
    ADMIN_TOKEN: TOKEN,
    CACHE_ENABLED: "false",
    RATE_LIMITER_ENABLED: "false",
    TELEMETRY: "false",
    LOG_LEVEL: "warn",
  };
  const cli = join(folder, COMMAND);
  runIn(dataDir, [process.execPath, cli, "bootstrap"], environment);
  const run = () =>
    startPeer(`http://127.0.0.1:${port}/server/ping`, process.execPath, [cli, "start"], {
      cwd: dataDir,
      env: { ...environment, PATH: process.env.PATH, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "inherit"],
    });
  const first = await run();
  await createCollection(port);
  await first.stop();
  fill(file, rows);
  const { pid, stop } = await run();
  const list = "/items/submissions?limit=25&sort=-created_at&meta=total_count";
  await checkList(port, list, rows);
  const remove = async () => {
    await stop();
    rmSync(dataDir, { recursive: true });
  };
  return { port, pid, list, remove };
}

async function createCollection(port: number): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const init = { method, headers: AS_ADMINISTRATOR, body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  };
  const id = {
    field: "id",
    type: "uuid",
    meta: { special: ["uuid"] },
    schema: { is_primary_key: true, length: 36, has_auto_increment: false },
  };
  const texts = ["name", "email", "company", "role"].map((field) => ({ field, type: "string", schema: {} }));
  const createdAt = {
    field: "created_at",
    type: "timestamp",
    meta: { special: ["date-created"] },
    schema: {},
  };
  await send("POST", "/collections", {
    collection: "submissions",
    schema: {},
    meta: {},
    fields: [id, ...texts, createdAt],
  });
  await send("PATCH", "/fields/submissions/created_at", { schema: { is_indexed: true } });
}

/** Writes the rows into the file, as the product's are (many-submissions.ts). */
function fill(path: string, rows: number): void {
  const file = new SqliteFile(path);
  const insert = file.prepare(`
    insert into submissions (id, name, email, company, role, created_at)
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < ?)
    select printf('%08x-0000-7000-8000-%012x', n, n), 'Ada Number' || n, 'subscriber' || n || '@example.com',
      case when n % 3 = 0 then 'Company ' || (n % 1000) else '' end, case n % 2 when 0 then 'manager' else 'developer' end,
      ? - (? - n) * 30000
    from numbers`);
  insert.run(rows, Date.now(), rows);
  file.close();
}

async function checkList(port: number, list: string, rows: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${list}`, { headers: AS_ADMINISTRATOR });
  const { data, meta } = (await response.json()) as { data: unknown[]; meta: { total_count: number } };
  if (data.length !== 25 || meta.total_count !== rows)
    throw new Error(`Directus listed ${data.length} of ${meta.total_count}`);
}
