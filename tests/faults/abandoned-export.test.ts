import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "~/services/service-deps";
import { open } from "../../server/fixtures/raw-http";
import { dialects, testDatabase } from "../databases";
import { withDatabase } from "./ledger";
import { until } from "./until";
import { logIn, startServer } from "../server-process";
import { databaseFile, logLines } from "../server/visitors";

/** 30 MB of CSV: more than the buffers on the way to a visitor hold. */
const ENTRIES = 7500;
const ENTRY = {
  actor: "system",
  action: "login",
  subject: "x".repeat(4000),
  outcome: "ok",
  network: "",
  request_id: "",
} as const;
const FREED_WITHIN_MS = 5000;

type Place = Awaited<ReturnType<typeof startPlace>>;

const places: Place[] = [];
beforeAll(async () => {
  for (const dialect of dialects) places.push(await startPlace(dialect));
});
afterAll(async () => {
  for (const { server, database } of places) {
    await server.remove();
    await database.remove();
  }
});

/** Starts a server whose export is long. */
async function startPlace(dialect: (typeof dialects)[number]) {
  const database = await testDatabase(dialect);
  await withDatabase(database, async ({ write }) => {
    for (let at = 0; at < ENTRIES; at += 500) {
      const rows = Array.from({ length: 500 }, () => ({ ...ENTRY, id: newId(), at: Date.now() }));
      await write((trx) => trx.insertInto("audit").values(rows).execute());
    }
  });
  const server = await startServer(database.environment);
  return { dialect, database, server, cookie: await logIn(server) };
}

/** Opens a connection on which an export has begun, and stops reading. */
async function startExport({ server, cookie }: Place) {
  const socket = await open(server.port);
  const head = [
    "POST /admin/activity/export HTTP/1.1",
    `Host: localhost:${server.port}`,
    `Cookie: ${cookie}`,
    "Sec-Fetch-Site: same-origin",
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Length: 0",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.pause();
  return socket;
}

/** Returns the bytes the server has read since its start, from files and connections. */
const getBytesRead = ({ server }: Place) =>
  Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${server.pid}/io`, "utf8"))?.[1]);

/** Returns whether no statement or transaction is active on PostgreSQL, and no reader blocks a checkpoint on SQLite. */
async function isIdle({ dialect, server, database }: Place): Promise<boolean> {
  if (dialect === "sqlite") {
    const file = new SqliteFile(databaseFile(server), { timeout: 1000 });
    const [answer] = file.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    file.close();
    return answer?.busy === 0;
  }
  return withDatabase(database, async ({ read }) => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(read);
    return rows.length === 0;
  });
}

describe("an export whose reader stops reading", () => {
  // R20
  it.each(dialects)("is stopped within 5 s of the reader's leaving, on %s", async (dialect) => {
    const place = places.find((one) => one.dialect === dialect)!;
    const { server, cookie } = place;
    const findLine = () =>
      logLines(server).find(({ path, status }) => path === "/admin/activity/export" && status !== undefined);
    const before = getBytesRead(place);
    const socket = await startExport(place);
    socket.destroy();
    const timing = { withinMs: FREED_WITHIN_MS, everyMs: 20 };
    await until("the request's end", () => findLine() !== undefined, timing);
    expect(findLine()).toMatchObject({ aborted: true });
    await until("an idle database", () => isIdle(place), { withinMs: FREED_WITHIN_MS, everyMs: 100 });
    await pause(500);
    expect(getBytesRead(place) - before).toBeLessThan((ENTRIES * ENTRY.subject.length) / 2);
    expect((await server.fetch("/admin/activity", { headers: { Cookie: cookie } })).status).toBe(200);
  });

  // R19, R21
  it("does not delay the shutdown", async () => {
    const end = async (place: Place) => {
      const socket = await startExport(place);
      const startedAt = performance.now();
      expect(await place.server.stop()).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(11_000);
      socket.destroy();
    };
    // Together: each waits the eight seconds that requests in flight are given.
    await Promise.all(places.map(end));
  });
});
