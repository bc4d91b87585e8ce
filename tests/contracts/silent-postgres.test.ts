import { sql } from "kysely";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connectPostgres } from "~/db/connect-postgres.server";
import { openDatabase } from "~/db/open-database.server";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import { removeAfterTest } from "../fixture";
import { startSilencingProxyTo, type SilencingProxy } from "../fakes/silencing-proxy";
import { until } from "../faults/until";
import { promisedMs } from "../sizes";
import { useDatabase } from "./use-database";

const LIMIT = { key: { allowed: 100, windowMs: minutes(15) } };

const { place } = useDatabase("postgres");
const getUrl = () => place.environment.DATABASE_URL ?? "";

describe("a PostgreSQL that stops responding", () => {
  let proxy: SilencingProxy;
  let database: Database;
  let lost: Error[];
  beforeEach(async () => {
    lost = [];
    proxy = removeAfterTest(await startSilencingProxyTo(getUrl()));
    const options = {
      url: proxy.url,
      dataDir: place.environment.DATA_DIR,
      onError: (error: Error) => lost.push(error),
    };
    // Closed before the proxy, and without waiting for a silent server.
    database = removeAfterTest(await openDatabase(options));
    // Leaves idle connections in each pool.
    await database.probe();
    await Promise.all([count(), count(), count()]);
  });

  const count = () => database.write((trx) => consume(trx, LIMIT, 1));
  const getCount = async () => {
    const query = database.read.selectFrom("attempts").select("count").where("key", "=", "key");
    return (await query.executeTakeFirstOrThrow()).count;
  };

  // R34
  it("is noticed by the probe, and its connections are replaced", async () => {
    const silencedAt = performance.now();
    proxy.silence({ newConnections: "pass" });
    await expect(database.probe()).rejects.toThrow("PostgreSQL does not answer");
    await database.probe();
    expect(lost).toHaveLength(4);
    // They would wait for 9 s more and fail, had the silent connections been kept.
    await Promise.all([count(), count(), count(), count()]);
    expect(performance.now() - silencedAt).toBeLessThan(promisedMs(10_000));
    expect(await getCount()).toBe(7);
  });

  // R34
  it("fails a commit in progress without a retry, and its locks end", async () => {
    let attempts = 0;
    let silencedAt = 0;
    const interrupted = database.write(async (trx) => {
      attempts += 1;
      await consume(trx, LIMIT, 1);
      silencedAt = performance.now();
      proxy.silence({ newConnections: "pass" });
    });
    interrupted.catch(() => undefined);
    await until("the interruption", () => silencedAt > 0);
    await vi.waitFor(() => database.probe(), { timeout: seconds(30) });
    // The row is locked by a transaction that only the server can end.
    await count();
    await expect(interrupted).rejects.toThrow();
    expect(performance.now() - silencedAt).toBeLessThan(promisedMs(10_000));
    expect([attempts, await getCount()]).toEqual([1, 4]);
  });
});

describe("a long statement", () => {
  const open = (statement_timeout: number) => {
    const config = { connectionString: getUrl(), max: 1 };
    const db = connectPostgres(config, { onError: () => undefined, settings: { statement_timeout } });
    onTestFinished(() => db.destroy());
    return db;
  };
  const sleep = sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.5)`;
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;

  // R34
  it("is cancelled by the server, and its connection is kept", async () => {
    const db = open(300);
    const before = await pid.execute(db);
    await expect(sleep.execute(db)).rejects.toThrow(pg.DatabaseError);
    expect((await pid.execute(db)).rows).toEqual(before.rows);
  });

  // R34
  it("has no limit without a timeout, as for migrations", async () => {
    expect((await sleep.execute(open(0))).rows).toHaveLength(1);
  });
});
