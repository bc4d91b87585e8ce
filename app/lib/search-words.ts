import { toAsciiAddress } from "./email-address";
import { getDomain } from "./example-domain";

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

/** What somebody is found by. */
interface Searched {
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

/** Separates the words of a document of which only the start is found, before it, from those found by any part. */
export const PARTS_FOLLOW = "\u0001";
/** Fewest letters by which the part of a word is found; fewer are the start of a word. */
export const MIN_PART_LENGTH = 3;

/**
 * Returns the document of a submission or person: words of their name, then those of their address, its domain and
 * their company, each word after two spaces, so that three characters tell the start of any word. It has all words of the
 * company, which is short: the filter by company relies on it (`longestPart`).
 * It is stored: changing the result needs a migration that indexes all rows again.
 */
export function searchDocument({ name, email, company }: Searched): string {
  const address = fold(email);
  const domain = getDomain(address);
  const local = address.slice(0, -domain.length - 1);
  const names = unique(splitWords(name)).slice(0, MAX_WORDS);
  const parts = unique([address, ...splitWords(local), domain, ...splitWords(company)]);
  return toDocument(names, parts);
}

const toDocument = (names: readonly string[], parts: readonly string[]) =>
  [...names, PARTS_FOLLOW, ...parts]
    .filter(isIndexable)
    .map((word) => `  ${word}`)
    .join("");

const unique = (words: readonly string[]) => [...new Set(words)];

/** Returns whether the search for these terms finds a document: the databases' conditions in JavaScript. */
export function isFoundBy(document: string, terms: readonly string[]): boolean {
  const parts = document.slice(document.indexOf(PARTS_FOLLOW));
  return terms.every((term) => document.includes(` ${term}`) || (isPart(term) && parts.includes(term)));
}

/** Returns whether a term is long enough to be looked for inside of words. */
export const isPart = (term: string): boolean => [...term].length >= MIN_PART_LENGTH;

/** Returns the words by which short lists and inquiries find somebody: their address, and their name's words. */
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

/**
 * Returns the longest run of letters and digits of a text as documents have it: whoever has the text in their company has
 * it in their document. Undefined where it is too short to be looked for inside of words.
 */
export function longestPart(text: string): string | undefined {
  // A sigma is another letter at the end of a word, which the end of the typed text need not be.
  const runs = fold(text).split(/[^\p{L}\p{N}]+|[\u03c3\u03c2]/u);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return isPart(longest) ? longest : undefined;
}

/** Returns whether each term is the beginning of a word: for short lists, which need no index. */
export function matchesTerms(words: readonly string[], terms: readonly string[]): boolean {
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}

/** What stands around a word of a pasted sentence. Not a dot or an @ before it: a part of an address may begin with one. */
const AROUND_A_TERM = /^["'(“\u201e«]+|["')”“»,;:?]+$/gu;
/** Signs after the last letter or digit, where every word ends (`splitWords`). Not an @: `ada@` finds addresses alone. */
const AFTER_A_TERM = /(?<=[\p{L}\p{N}@])[^\p{L}\p{N}@]+$/u;
const LETTER = /[\p{L}\p{N}]/u;

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
    .map((term) => term.replace(AROUND_A_TERM, "").replace(AFTER_A_TERM, ""))
    .filter((term) => term !== "");
  // No word is a sign alone, such as the & of a company. Where nothing else was typed, signs stay and find nobody.
  const withLetter = terms.filter((term) => LETTER.test(term));
  const unique = [...new Set(withLetter.length > 0 ? withLetter : terms)].slice(0, MAX_TERMS);
  return unique.filter((term) => !unique.some((other) => other !== term && other.startsWith(term)));
}
