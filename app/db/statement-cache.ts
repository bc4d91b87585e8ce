import type SqliteFile from "better-sqlite3";
import type { SqliteDatabase } from "kysely";

const MAX_STATEMENTS = 300;

/**
 * Keeps prepared statements: Kysely prepares on every call, which costs as much as a small query. Beyond the limit
 * the oldest one goes, because each holds 10 kB outside the heap that the garbage collector does not see.
 */
export function withStatementCache(file: SqliteFile.Database): SqliteDatabase {
  const statements = new Map<string, SqliteFile.Statement>();
  return {
    close: () => file.close(),
    prepare: (sql) => {
      const known = statements.get(sql);
      // A statement that is being iterated cannot run a second time.
      if (known && !known.busy) return known as never;
      const statement = file.prepare(sql);
      statements.set(sql, statement);
      const [oldest] = statements.keys();
      if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
      return statement as never;
    },
  };
}
