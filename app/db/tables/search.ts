import type { ColumnType } from "kysely";

/** An accepted submission and the words it is found by (app/lib/search-words.ts). Gone with the submission. */
export interface SearchDocumentsTable {
  /** On SQLite alone: the millisecond of the submission's id, and 15 bits that count up within it. */
  n: ColumnType<never, number | undefined, never>;
  submission_id: string;
  /** Separated by spaces. The first one stands for the form (people-index.server.ts). */
  words: string;
}
