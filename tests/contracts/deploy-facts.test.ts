import { sql } from "kysely";
import { rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { getSharedTime } from "~/db/shared-time.server";
import { minutes } from "~/lib/durations";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { createBootRecord } from "~/services/instances/boot-record.server";
import { newId } from "~/services/service-deps";
import { collectDatabaseFacts } from "~/services/setup/database-facts.server";
import { freePort } from "../../scripts/free-port.mjs";
import type { TestDatabase } from "../databases";
import { temporaryFolder } from "../temporary-folder";
import { hasher } from "../factories/accounts";
import { describeOnDatabases } from "./use-database";

const inspect = ({ environment }: Pick<TestDatabase, "environment">, environmentPassword?: string) => {
  const place = { url: environment.DATABASE_URL, dataDir: environment.DATA_DIR };
  return collectDatabaseFacts({ place, hasher, clock: Date.now, environmentPassword });
};

describeOnDatabases("the facts about a database of %s", ({ database, place, dialect }) => {
  const makeSuperadmin = (password: string | undefined) =>
    ensureSuperadmin({ database, hasher, clock: Date.now, newId }, { email: "ada@confer.dev", password });

  // C34
  it("say that it is migrated and writable, and are collected without a write", async () => {
    const facts = await inspect(place);
    expect(facts).toMatchObject({ kind: "present", writeProblem: undefined, accounts: [], instances: [] });
    if (facts.kind !== "present") return;
    expect(facts.applied).toEqual(facts.known);
    expect(facts.known.length).toBeGreaterThan(0);
    expect(await database.read.selectFrom("attempts").selectAll().execute()).toEqual([]);
  });

  // C34
  it("say how much text the log has", async () => {
    expect(await inspect(place)).toMatchObject({ logBytes: 0 });
    const hour = { level: "INFO", lines: 1, bytes: 5_000_000_000, least_id: 1, greatest_id: 1 };
    await database.write((trx) =>
      trx
        .insertInto("log_hours")
        .values([1, 2].map((at) => ({ ...hour, hour: at })))
        .execute(),
    );
    expect(await inspect(place)).toMatchObject({ logBytes: 10_000_000_000 });
  });

  // C34
  it("tell temporary passwords from chosen ones, and who has a second factor", async () => {
    await makeSuperadmin(undefined);
    const [unfinished] = await accounts();
    expect(unfinished).toMatchObject({ hasTemporaryPassword: true, hasSecondFactor: false });
    await makeSuperadmin("given by the environment");
    expect(await accounts("given by the environment")).toMatchObject([
      { hasTemporaryPassword: false, hasEnvironmentPassword: true },
    ]);
    expect(await accounts("another")).toMatchObject([{ hasEnvironmentPassword: false }]);
    await database.write(async (trx) => {
      const { id } = await trx.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
      const factor = { account_id: id, sealed_secret: "x", begun_at: 1, confirmed_at: null, last_step: 0 };
      await trx.insertInto("second_factors").values(factor).execute();
    });
    expect(await accounts()).toMatchObject([{ hasSecondFactor: false }]);
    await database.write((trx) => trx.updateTable("second_factors").set({ confirmed_at: 2 }).execute());
    expect(await accounts()).toMatchObject([{ hasSecondFactor: true }]);
  });

  // C34
  it("refuse a database of a later version as the start does, without migrating it", async () => {
    await database.write((trx) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(trx),
    );
    const problem = expect.stringContaining("its migration 9999-later is unknown here") as string;
    expect(await inspect(place)).toEqual({ kind: "unreachable", problem });
    await database.write((trx) => sql`delete from kysely_migration where name = '9999-later'`.execute(trx));
  });

  // C34
  it("name the running instances, those of one machine by their ports", async () => {
    const leaseTime = getSharedTime(dialect);
    const boot = (instance: string) =>
      createBootRecord({ database, leaseTime, newId, instance, log: { warn: () => undefined } });
    const [one, two] = [boot("web:3000"), boot("web:3001")];
    for (const each of [one, two, one]) await each.beat();
    expect(await inspect(place)).toMatchObject({ instances: ["web:3000", "web:3001"], sharedNames: [] });
    await one.stop();
    expect(await inspect(place)).toMatchObject({ instances: ["web:3001"] });
  });

  // C34
  it("compare the clock of PostgreSQL with ours", async () => {
    const facts = await inspect(place);
    const ahead = facts.kind === "present" ? facts.clockAheadMs : NaN;
    if (dialect === "sqlite") expect(ahead).toBeUndefined();
    else expect(Math.abs(ahead ?? NaN)).toBeLessThan(minutes(1));
  });

  async function accounts(environmentPassword?: string) {
    const facts = await inspect(place, environmentPassword);
    return facts.kind === "present" ? facts.accounts : [];
  }
});

// C34
it("the facts tell a missing database from an unreachable one", async () => {
  const dataDir = temporaryFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  expect(await inspect({ environment: { DATA_DIR: dataDir } })).toEqual({ kind: "none" });
  const url = `postgres://nobody@127.0.0.1:${await freePort()}/frontdesk`;
  expect(await inspect({ environment: { DATA_DIR: dataDir, DATABASE_URL: url } })).toEqual({
    kind: "unreachable",
    problem: expect.stringContaining("ECONNREFUSED") as string,
  });
});
