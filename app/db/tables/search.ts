import type { SubmissionKind } from "./submissions";

/** Submissions of a form that follow one another, about 2,000: words are looked up block by block, from the newest on. */
export interface SearchBlocksTable {
  kind: SubmissionKind;
  /** Counted up in the order of time, from another number on for each form: no two blocks have the same. */
  number: number;
  /** Submissions with this id and later belong to it, up to the first of the next block. */
  first_id: string;
  /** How many submissions were given a place in it; those that are gone count too. */
  filled: number;
}

/** The words an accepted submission is found by (app/lib/search-words.ts). Gone with the submission. */
export interface SearchWordsTable {
  /** The number of the block. */
  block: number;
  word: string;
  submission_id: string;
  /** All words of the submission, a space before each. */
  all_words: string;
}

/** What two words of one submission of a block begin with: where it is missing, nobody of the block has both. Stays when they go. */
export interface SearchPairsTable {
  /** The number of the block. */
  block: number;
  /** `pairsOf` (app/lib/search-words.ts). */
  pair: number;
}
