import { sql } from "kysely";
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { connectPostgres } from "~/db/connect-postgres.server";
import { openDatabase } from "~/db/open-database.server";
import type { Database } from "~/db/database.server";
import { minutes, seconds } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import { useCleanups } from "../cleanups";
import { startSilencingProxyTo } from "../fakes/silencing-proxy";
import type { SilencingProxy } from "../fakes/silencing-proxy";
import { until } from "../faults/until";
import { useDatabase } from "./use-database";

const LIMIT = { key: { allowed: 100, windowMs: minutes(15) } };

let url: string;
useDatabase("postgres", (_, place) => (url = place.environment.DATABASE_URL ?? ""));
const later = useCleanups();

describe("a PostgreSQL that falls silent", () => {
  let proxy: SilencingProxy;
  let database: Database;
  let lost: Error[];
  beforeEach(async () => {
    lost = [];
    const through = await startSilencingProxyTo(url);
    proxy = through;
    database = await openDatabase({ url: through.url, dataDir: "", onError: (error) => lost.push(error) });
    // In this order: closing does not wait for a server that says nothing.
    later(() => proxy.close());
    later(() => database.close());
    // Leaves connections at rest in each pool.
    await database.probe();
    await Promise.all([count(), count(), count()]);
  });

  const count = () => database.write((trx) => consume(trx, LIMIT, 1));
  const counted = async () =>
    (
      await database.read
        .selectFrom("attempts")
        .select("count")
        .where("key", "=", "key")
        .executeTakeFirstOrThrow()
    ).count;
  const works = () =>
    database.probe().then(
      () => true,
      () => false,
    );

  it("is noticed by its probe, and new connections take the place of all silent ones (R34)", async () => {
    const fell = performance.now();
    proxy.silence({ newConnections: "pass" });
    await expect(database.probe()).rejects.toThrow("PostgreSQL does not answer");
    await database.probe();
    // They would wait for 9 s more and fail, had the silent connections been kept.
    await Promise.all([count(), count(), count(), count()]);
    expect(performance.now() - fell).toBeLessThan(seconds(10));
    expect(await counted()).toBe(7);
  });

  it("that takes no new connections either fails what is asked, and works again once it does (R34)", async () => {
    proxy.silence({ newConnections: "swallowed" });
    // The first on the silent connection, the second on one that does not come about.
    await expect(database.probe()).rejects.toThrow();
    await expect(database.probe()).rejects.toThrow();
    await expect(count()).rejects.toThrow();
    proxy.restore();
    const healed = performance.now();
    await until("the database", works);
    await count();
    expect(performance.now() - healed).toBeLessThan(seconds(10));
    expect(await counted()).toBe(4);
  });

  it("during a commit fails it without a second try, and its locks end with it (R34)", async () => {
    let tries = 0;
    let fell = 0;
    const cut = database.write(async (trx) => {
      tries += 1;
      await consume(trx, LIMIT, 1);
      fell = performance.now();
      proxy.silence({ newConnections: "pass" });
    });
    cut.catch(() => undefined);
    await until("the fall", () => fell > 0);
    await until("the database", works);
    // The row is locked by a transaction that only the server can end.
    await count();
    await expect(cut).rejects.toThrow();
    expect(performance.now() - fell).toBeLessThan(seconds(10));
    expect([tries, await counted()]).toEqual([1, 4]);
  });

  it("is told once for each connection (R34)", async () => {
    proxy.silence({ newConnections: "pass" });
    await expect(database.probe()).rejects.toThrow();
    await database.probe();
    expect(lost).toHaveLength(4);
  });
});

describe("a long statement", () => {
  const open = (statement_timeout: number) => {
    const config = { connectionString: url, max: 1, statement_timeout };
    const db = connectPostgres(config, { onError: () => undefined });
    later(() => db.destroy());
    return db;
  };
  const sleep = sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(1.6)`;
  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;

  it("is cancelled by the server that works on it, which keeps its connection (R34)", async () => {
    const db = open(300);
    const before = await pid.execute(db);
    await expect(sleep.execute(db)).rejects.toThrow(pg.DatabaseError);
    expect((await pid.execute(db)).rows).toEqual(before.rows);
  });

  it("may take its time where none is set, as for migrations (R34)", async () => {
    expect((await sleep.execute(open(0))).rows).toHaveLength(1);
  });
});
