import type { Database } from "~/db/database.server";

/**
 * A database whose writes a test can wait for: a page goes on without a slow one (record-in-passing.server.ts), and a test
 * asks for what it recorded.
 */
export function watchWrites(database: Database) {
  const writes: Promise<unknown>[] = [];
  const watched: Database = {
    ...database,
    write(work) {
      const writing = database.write(work);
      writes.push(writing);
      return writing;
    },
  };
  return { database: watched, written: () => Promise.all(writes) };
}
