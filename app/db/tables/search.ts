import type { ColumnType } from "kysely";

/** Search words of an accepted submission (app/lib/search-words.ts). Deleted with the submission. */
export interface SearchDocumentsTable {
  /** Only on SQLite: the millisecond of the submission's id, and 15 bits that count up within it. */
  n: ColumnType<never, number | undefined, never>;
  submission_id: string;
  /** Separated by spaces. The first one stands for the form (people-index.server.ts). */
  words: string;
}
