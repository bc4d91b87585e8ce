import { PostgresAdapter, sql, type Kysely } from "kysely";

/** Runs statements of a migration one after the other, in its transaction. */
export async function runStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export const isPostgres = (db: Pick<Kysely<unknown>, "getExecutor">) =>
  db.getExecutor().adapter instanceof PostgresAdapter;
