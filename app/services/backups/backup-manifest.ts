import { z } from "zod";

/** What stands in `backup.json`. */
const manifest = z.object({
  /** Of this format. */
  backup: z.literal(1),
  /** The product's. */
  version: z.string(),
  dialect: z.enum(["sqlite", "postgres"]),
  /** Epoch milliseconds: when the copy of the database was begun. What was acknowledged before is in it. */
  at: z.number().int(),
  /** The SHA-256, in hexadecimal, of every other file, by its path in the backup. */
  files: z.record(z.string(), z.string()),
});
export type BackupManifest = z.infer<typeof manifest>;

export const MANIFEST = "backup.json";
/** The database in a backup: SQLite's file, or what pg_dump writes. */
export const DATABASE_FILE = { sqlite: "frontdesk.db", postgres: "frontdesk.dump" } as const;
/** The rest of DATA_DIR. */
export const DATA_FOLDER = "data";
/** What a folder of DATA_DIR is called, up to the time, that holds what a restore has replaced. */
export const KEPT = "before-restore-";

/** @returns undefined when it is none. */
export function parseManifest(text: string): BackupManifest | undefined {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
