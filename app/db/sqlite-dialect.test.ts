import SqliteFile from "better-sqlite3";
import { Kysely, sql, SqliteDriver } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { createSqliteDialect } from "./sqlite-dialect";

interface People {
  readonly people: { readonly id: number; readonly name: string };
}

async function createPeople(): Promise<Kysely<People>> {
  const file = new SqliteFile(":memory:");
  const db = new Kysely<People>({ dialect: createSqliteDialect(() => new SqliteDriver({ database: file })) });
  onTestFinished(() => db.destroy());
  await sql`create table people (id integer primary key, name text not null)`.execute(db);
  await sql`insert into people values (1, ${"Ada"}), (2, ${"Grace"})`.execute(db);
  return db;
}

it("hides every parameter from the planner, which would plan again for its value", async () => {
  const db = await createPeople();
  const query = db
    .selectFrom("people")
    .select("name")
    .where("id", ">", 1)
    .where(sql<boolean>`name <> ${"Ada"}`)
    .limit(5);
  expect(query.compile()).toMatchObject({
    sql: 'select "name" from "people" where "id" > likely(?) and name <> likely(?) limit likely(?)',
    parameters: [1, "Ada", 5],
  });
  expect(await query.execute()).toEqual([{ name: "Grace" }]);
});

it("omits row locks", async () => {
  const db = await createPeople();
  const query = db.selectFrom("people").select("name").where("id", "=", 1).forUpdate().skipLocked();
  expect(await query.execute()).toEqual([{ name: "Ada" }]);
});
