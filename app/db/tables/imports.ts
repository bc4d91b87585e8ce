import type { Generated } from "kysely";
import type { ImportedKind } from "~/lib/import-columns";
import type { EpochMs, IntegerBoolean } from "./columns";

/** One row per file of people, from its upload on; it stays, without its lines, when the import is long over. */
export interface ImportsTable {
  id: string;
  /**
   * reading: its lines are being stored. uploaded: awaits its mapping. checking: its lines get their verdicts. checked:
   * awaits its start. running, undoing: a worker goes through its lines. The others are final, `undone` and `cancelled`
   * with what they say; `discarded` was never started.
   */
  state:
    | "reading"
    | "uploaded"
    | "checking"
    | "checked"
    | "running"
    | "finished"
    | "cancelled"
    | "undoing"
    | "undone"
    | "discarded";
  file_name: string;
  /** A name of TextDecoder. Of a file in an encoding that its bytes do not tell, the one that was chosen (import-encoding.ts). */
  encoding: string;
  delimiter: string;
  /** JSON: the file's columns (FileColumn of read-import-file.ts). */
  columns: string;
  /** JSON: the number of the file's column by each of ours (ImportMapping of import-columns.ts); empty before it is chosen. */
  mapping: Generated<string>;
  kind: Generated<"" | ImportedKind>;
  /** Where the consent comes from, unless a column says it; empty without. */
  consent: Generated<string>;
  /** Which comes first in dates such as 03/04/2026; empty where no date needs it. */
  date_order: Generated<"" | "dmy" | "mdy">;
  /** 1: its submissions also go to the mirror, once it can no longer be undone. */
  is_mirrored: Generated<IntegerBoolean>;
  line_count: Generated<number>;
  /** Lines by verdict; together they are the lines that were checked. */
  new_count: Generated<number>;
  known_count: Generated<number>;
  suppressed_count: Generated<number>;
  invalid_count: Generated<number>;
  duplicate_count: Generated<number>;
  /** Submissions that it stored and that were not undone. */
  stored_count: Generated<number>;
  /** Addresses that it put on the suppression list, likewise. */
  listed_count: Generated<number>;
  /** Submissions that an undo left, because their people got an email or joined since, or their lines failed. */
  kept_count: Generated<number>;
  /** The last line that the work of this state has done. */
  last_line: Generated<number>;
  /** Address of the account, or "command". */
  created_by: string;
  created_at: EpochMs;
  started_at: EpochMs | null;
  /** Time at which it finished or was cancelled. */
  finished_at: EpochMs | null;
  /** Time at which all was done that waits until it can no longer be undone: mirroring, and opt-outs that stay. */
  settled_at: EpochMs | null;
}

/** The lines of a file until they are swept. */
export interface ImportLinesTable {
  import_id: string;
  /** Number of its first line in the file, from 1. */
  line: number;
  /** JSON: its cells. Of a file whose encoding was chosen, a character for each byte. */
  cells: string;
  /** The first address in it, in lower case, once mapped that of the mapped column if it has one; empty without any. */
  email_key: string;
  /** Empty before it is checked. */
  verdict: Generated<"" | "new" | "known" | "suppressed" | "invalid" | "duplicate">;
  /** A code (LineReason of import-state.ts). */
  reason: Generated<string>;
  /** The submission it became. */
  submission_id: string | null;
  /** The suppression it added. */
  suppression_id: string | null;
}

export interface ImportTables {
  imports: ImportsTable;
  import_lines: ImportLinesTable;
}
