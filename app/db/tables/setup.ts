import type { EpochMs } from "./columns";

/** The newest result of each proof of the setup, and whether its card was dismissed: a row each. */
export interface SetupRecordsTable {
  name: "test-email" | "checks" | "signup" | "card-dismissed";
  at: EpochMs;
  /** The settings that it was made with, without secrets: other ones make it worth nothing. Empty where none matter. */
  settings: string;
  /** "test-email": what came of it. Empty for the others. */
  outcome: string;
  /** "test-email": the mail server's words. "checks": JSON of the results. Empty for the others. */
  detail: string;
  took_ms: number;
}

export interface SetupTables {
  setup_records: SetupRecordsTable;
}
