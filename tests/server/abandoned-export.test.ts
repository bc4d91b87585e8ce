import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "~/services/ids.server";
import { open } from "../../server/fixtures/raw-http";
import { dialects, testDatabase } from "../databases";
import type { TestDatabase } from "../databases";
import { look } from "../faults/ledger";
import { until } from "../faults/until";
import { logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { databaseFile, logLines } from "./visitors";

/** 30 MB of CSV: more than the buffers on the way to a visitor hold. */
const ENTRIES = 15_000;
const SUBJECT = "x".repeat(2000);
const FREED_WITHIN_MS = 5000;

describe.each(dialects)("a copy whose reader takes no more, on %s", (dialect) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let cookie: string;

  beforeEach(async () => {
    database = await testDatabase(dialect);
    await look(database, async ({ write }) => {
      for (let at = 0; at < ENTRIES; at += 500) {
        const rows = Array.from({ length: 500 }, () => ({
          ...{ id: newId(), at: Date.now(), actor: "system", action: "login", subject: SUBJECT },
          ...{ outcome: "ok" as const, network: "", request_id: "" },
        }));
        await write((trx) => trx.insertInto("audit").values(rows).execute());
      }
    });
    server = await startServer(database.environment);
    cookie = await logIn(server);
  });
  afterEach(async () => {
    await server.remove();
    await database.remove();
  });

  /** A connection on which the copy has begun, and on which nobody reads any more. */
  async function begun() {
    const socket = await open(server.port);
    const head = [
      "POST /admin/activity/export HTTP/1.1",
      ...[`Host: localhost:${server.port}`, `Cookie: ${cookie}`, "Sec-Fetch-Site: same-origin"],
      ...["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"],
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.pause();
    return socket;
  }
  const line = () =>
    logLines(server).find(({ path, status }) => path === "/admin/activity/export" && status !== undefined);

  it("is read no further, and holds neither a query nor a connection, within 5 s of their leaving (R20)", async () => {
    const before = bytesRead();
    const socket = await begun();
    socket.destroy();
    await until("the request's end", () => line() !== undefined, { withinMs: FREED_WITHIN_MS, everyMs: 20 });
    expect(line()).toMatchObject({ aborted: true });
    await until("a free database", isFree, { withinMs: FREED_WITHIN_MS, everyMs: 100 });
    await pause(500);
    expect(bytesRead() - before).toBeLessThan((ENTRIES * SUBJECT.length) / 2);
    expect((await server.fetch("/admin/activity", { headers: { Cookie: cookie } })).status).toBe(200);
  });

  it("does not keep the server from ending in time (R19, R21)", async () => {
    const socket = await begun();
    const asked = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(11_000);
    socket.destroy();
  });

  /** How much the server has read since its start, of files and of connections alike. */
  const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${server.pid}/io`, "utf8"))?.[1]);

  /** Whether nobody is at it: no statement or transaction on PostgreSQL, no reader in the way of a checkpoint on SQLite. */
  async function isFree(): Promise<boolean> {
    if (dialect === "sqlite") {
      const file = new SqliteFile(databaseFile(server), { timeout: 1000 });
      const [answer] = file.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      file.close();
      return answer?.busy === 0;
    }
    return look(database, async ({ read }) => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(read);
      return rows.length === 0;
    });
  }
});
