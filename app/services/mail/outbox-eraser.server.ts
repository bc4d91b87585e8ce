import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database } from "~/db/database.server";

/** So many files and rows go at a time. */
const CHUNK = 100;

export type OutboxEraser = ReturnType<typeof createOutboxEraser>;

/** Takes the mails to one person out of the outbox. */
export function createOutboxEraser({ database, folder }: { database: Database; folder: string }) {
  return {
    /** All to an address, in lower case, of every kind. First the files: until one is gone, its row says where it is. */
    async eraseAllTo(emailKey: string): Promise<void> {
      for (;;) {
        const some = await database.read
          .selectFrom("outbox_mails")
          .select(["id", "file"])
          .where(sql<string>`lower(to_address)`, "=", emailKey)
          .limit(CHUNK)
          .execute();
        if (some.length === 0) return;
        await Promise.all(some.map(({ file }) => rm(join(folder, file), { force: true })));
        await database.write((trx) =>
          trx
            .deleteFrom("outbox_mails")
            .where(
              "id",
              "in",
              some.map(({ id }) => id),
            )
            .execute(),
        );
      }
    },
  };
}
