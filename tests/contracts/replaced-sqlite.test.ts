import SqliteFile from "better-sqlite3";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Write } from "~/db/database.server";
import { ReplacedDatabaseError } from "~/db/sqlite-file-identity.server";
import { copySqlite, isSqliteInUse } from "~/db/sqlite-file.server";
import { minutes } from "~/lib/durations";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { newId } from "~/services/service-deps";
import { createSessions } from "~/services/sessions/sessions.server";
import { findPerson, insertAccount, insertSession } from "../factories/accounts";
import { createTestClock } from "../factories/time";
import { useDatabase } from "./use-database";

describe("the files of SQLite under a server that has them open", () => {
  const { database, place } = useDatabase("sqlite");
  const at = (name: string) => join(place.environment.DATA_DIR, name);
  const add = (name: string) => database.write((trx) => insert(trx, name));
  const insert = (trx: Write, name: string) =>
    trx.insertInto("secrets").values({ name, value: "x", created_at: 1 }).execute();
  const listNames = async () =>
    (await database.read.selectFrom("secrets").select("name").execute()).map(({ name }) => name);

  // R54
  it.each<[string, () => void]>([
    ["removed", () => rmSync(at("frontdesk.db"))],
    ["moved", () => renameSync(at("frontdesk.db"), at("old.db"))],
    [
      "moved with their folder",
      () => {
        const moved = `${place.environment.DATA_DIR}-old`;
        onTestFinished(() => rmSync(moved, { recursive: true }));
        renameSync(place.environment.DATA_DIR, moved);
      },
    ],
    [
      "replaced by a copy",
      () => {
        copyFileSync(at("frontdesk.db"), at("copy.db"));
        renameSync(at("copy.db"), at("frontdesk.db"));
      },
    ],
    ["without their log", () => rmSync(at("frontdesk.db-wal"))],
    ["without the index of their log", () => rmSync(at("frontdesk.db-shm"))],
  ])("refuse every write while they are %s", async (_, change) => {
    await add("before");
    change();
    await expect(add("after")).rejects.toThrow(ReplacedDatabaseError);
    await expect(database.probe()).rejects.toThrow(/frontdesk\.db\S* was removed, moved or replaced/);
    expect(await listNames()).toEqual(["before"]);
  });

  // R54
  it("take writes again once the same file is back", async () => {
    renameSync(at("frontdesk.db"), at("old.db"));
    await expect(add("lost")).rejects.toThrow("Put the same file back");
    renameSync(at("old.db"), at("frontdesk.db"));
    await add("kept");
    expect(await listNames()).toEqual(["kept"]);
  });

  // R54
  it("leave a person logged in, and count as away", async () => {
    const clock = createTestClock();
    await insertAccount(database, { id: "a", email: "ada@example.com" });
    const origin = { userAgent: "", network: "203.0.113.0" };
    const id = await insertSession(database, { accountId: "a", clock, ...origin });
    renameSync(at("frontdesk.db"), at("old.db"));
    // The time of last use would be written.
    clock.forward(minutes(5));
    const sessions = createSessions({ database, clock, newId });
    expect(await findPerson(sessions, id)).toMatchObject({ email: "ada@example.com" });
    const error: unknown = await add("lost").catch((cause: unknown) => cause);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  // R54
  it("acknowledge no write during which they were moved", async () => {
    const write = database.write(async (trx) => {
      await insert(trx, "interrupted");
      renameSync(at("frontdesk.db"), at("old.db"));
    });
    await expect(write).rejects.toThrow(ReplacedDatabaseError);
  });

  // R54
  it("are not read by a thread that starts after they were replaced", async () => {
    copyFileSync(at("frontdesk.db"), at("copy.db"));
    renameSync(at("copy.db"), at("frontdesk.db"));
    const query = database.longRead.selectFrom("secrets").selectAll();
    await expect(query.execute()).rejects.toThrow(ReplacedDatabaseError);
  });

  // R54
  it("stay the same while other programs copy, check and write the database", async () => {
    await add("before");
    copySqlite(place.environment.DATA_DIR, at("copy"));
    expect(isSqliteInUse(place.environment.DATA_DIR)).toBe(true);
    const other = new SqliteFile(at("frontdesk.db"));
    other.exec("insert into secrets (name, value, created_at) values ('other', 'x', 1)");
    other.pragma("wal_checkpoint(TRUNCATE)");
    other.close();
    await add("after");
    expect(await listNames()).toEqual(["after", "before", "other"]);
  });
});
