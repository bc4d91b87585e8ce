import type { SignedIn } from "~/services/sessions/sessions.server";

/** One thing that was found. */
export interface Hit {
  readonly to: string;
  /** Whether a file stands there and not a screen: the browser opens it by itself. */
  readonly isFile?: boolean;
  /** What is posted there, for something that is done at once; the page one is on is named with it. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly title: string;
  readonly detail?: string | undefined;
  /** When it came to be, in epoch milliseconds. */
  readonly at?: number | undefined;
}

/** What is looked for. */
export interface Asked {
  readonly typed: string;
  /** The words of it (app/lib/search-words.ts); none when nothing was typed. */
  readonly terms: readonly string[];
  readonly person: SignedIn;
}

/**
 * A kind of thing that can be found. Another one is a file beside the others and a line in sources.server.ts.
 *
 * Contract: `find` gives at most `limit` hits, the best or newest first, and none of what this person may not see. With
 * nothing typed it gives what is worth showing then, if anything.
 */
export interface SearchSource {
  readonly id: string;
  readonly title: string;
  find(asked: Asked, limit: number): Promise<Hit[]>;
  /** Of how many it looks through, when that is not all there are. */
  readonly among?: number;
  /** Where the rest stands, for as long as there may be more than are shown. */
  more?(asked: Asked): { readonly to: string; readonly name: string };
}

export interface Group {
  readonly id: string;
  readonly title: string;
  readonly hits: readonly Hit[];
  readonly among: number | undefined;
  readonly more: { readonly to: string; readonly name: string } | undefined;
}
