import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutboxRow, OutboxRows } from "./outbox-rows";

export type OutboxReader = ReturnType<typeof createOutboxReader>;

/** The outbox as admins read it. */
export function createOutboxReader({ rows, folder }: { rows: OutboxRows; folder: string }) {
  return {
    /** Newest first. */
    list: (page: { limit: number }): Promise<OutboxRow[]> => rows.list(page),

    /** The whole mail as it would have been sent (RFC 5322), or undefined when there is none or its file is gone. */
    async read(id: string): Promise<string | undefined> {
      const row = await rows.find(id);
      if (!row) return undefined;
      return readFile(join(folder, row.file), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
    },
  };
}
