import { toAsciiAddress } from "./email-address";

const MAX_WORDS = 16;
/** The maximum of a word in PostgreSQL's text search. */
const MAX_BYTES = 2046;
const MAX_TERMS = 8;
const MAX_TERM_LENGTH = 254;

/** Folds case and accents. Marks go before normalisation too, which sorts them in quadratic time (C37). */
function fold(text: string): string {
  return text.toLowerCase().replace(/\p{M}/gu, "").normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
}

/** From the first letter or digit to the last one. */
const WORD = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

/**
 * Returns the words by which a person is found: their address, their name's words and parts of compound ones.
 * They are stored: changing the result needs a migration that indexes all rows again.
 */
export function searchWords({ name, email }: { name: string; email: string }): string[] {
  return [...new Set([fold(email), ...splitWords(name)])].slice(0, MAX_WORDS).filter(isIndexable);
}

/** Returns the words by which an inquiry is found: those of its sender, and all of its text. They are stored too. */
export function inquiryWords(inquiry: { name: string; email: string; message: string }): string[] {
  return [...new Set([...searchWords(inquiry), ...splitWords(inquiry.message)])].filter(isIndexable);
}

const isIndexable = (word: string) => new TextEncoder().encode(word).length <= MAX_BYTES;

/** Returns the words of a text, and the parts of compound ones. */
export function splitWords(text: string): string[] {
  return fold(text)
    .split(/\s+/u)
    .map((chunk) => WORD.exec(chunk)?.[0] ?? "")
    .flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word !== "");
}

/** Returns whether each term is the beginning of a word: for short lists, which need no index. */
export function matchesTerms(words: readonly string[], terms: readonly string[]): boolean {
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}

/** What stands around a word of a pasted sentence. Not a dot or an @: they may be inside of an address. */
const AROUND_A_TERM = /^["'(“\u201e«]+|["')”“»,;:?]+$/gu;

/** Parses a search into beginnings of words; one that begins another is omitted. An empty result means no search. */
export function searchTerms(typed: string): string[] {
  const words = typed
    .replace(/\p{Cc}/gu, " ")
    .toWellFormed()
    .split(/\s+/u);
  // An address is stored with its domain in ASCII.
  const addresses = words.map((word) => (word.includes("@") ? toAsciiAddress(word) : word));
  const terms = fold(addresses.join(" "))
    .split(/\s+/u)
    .filter((term) => term.length <= MAX_TERM_LENGTH)
    .map((term) => term.replace(AROUND_A_TERM, ""))
    .filter((term) => term !== "");
  const unique = [...new Set(terms)].slice(0, MAX_TERMS);
  return unique.filter((term) => !unique.some((other) => other !== term && other.startsWith(term)));
}
