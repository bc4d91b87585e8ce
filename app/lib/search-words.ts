import { crc32 } from "node:zlib";

const MAX_WORDS = 16;
/** One word and all of them stand in a row of an index, of which PostgreSQL takes 2,704 bytes. */
const MAX_BYTES = 1200;
const MAX_TERMS = 8;
const MAX_TERM_LENGTH = 254;
/** Few enough that none tells the name of somebody who is gone, so many that a block has a hundredth of them (docs/decisions/0018). */
const PAIRS = 2 ** 20;
/** The last code point there is: everything that begins with a term lies between the term and the term with this behind it. */
const LAST = "\u{10FFFF}";

/**
 * Text as it is searched: case and accents do not count. Marks go before normalisation too, which would sort those of each
 * letter, in time that grows with the square of their number (C37).
 */
function fold(text: string): string {
  return text.toLowerCase().replace(/\p{M}/gu, "").normalize("NFKD").replace(/\p{M}/gu, "");
}

/** From the first letter or digit to the last one. */
const WORD = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

/**
 * What somebody is found by: their address, and the words of their name, of which "Jean-Luc" is three: itself and its parts.
 * Each once, at most 16, and 1,200 bytes in all: a longer one, which takes letters that fold into many, is left out. They are
 * stored: another answer here needs a migration that indexes all anew.
 */
export function searchWords({ name, email }: { name: string; email: string }): string[] {
  const words = [...new Set([fold(email), ...wordsOf(name)])].slice(0, MAX_WORDS);
  let left = MAX_BYTES;
  return words.filter((word) => {
    const bytes = new TextEncoder().encode(word).length;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** The words of a text, and the parts of those that have some. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(/\s+/u)
    .map((chunk) => WORD.exec(chunk)?.[0] ?? "")
    .flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word !== "");
}

/**
 * What each two of the words begin with, by one and by three letters, as numbers that many such share: from 0, below 2^20.
 * They are stored: another answer here needs a migration that makes all anew.
 */
export function pairsOf(words: readonly string[]): number[] {
  return pairs(words, beginningsOf);
}

/** Those of them that are there for everybody who has all of these terms, of which none is the beginning of another. */
export function pairsFor(terms: readonly string[]): number[] {
  return pairs(terms, (term) => beginningsOf(term).slice(-1));
}

function pairs(words: readonly string[], beginnings: (word: string) => string[]): number[] {
  const inOrder = words.toSorted().map(beginnings);
  const all = inOrder.flatMap((one, at) =>
    inOrder
      .slice(at + 1)
      .flatMap((other) => one.flatMap((first) => other.map((second) => `${first} ${second}`))),
  );
  return all.map((pair) => crc32(pair) % PAIRS);
}

function beginningsOf(word: string): string[] {
  const letters = Array.from(word);
  return [1, 3].filter((count) => letters.length >= count).map((count) => letters.slice(0, count).join(""));
}

/** Whether each of the terms is the beginning of one of the words: for short lists, which need no index. */
export function matchesTerms(words: readonly string[], terms: readonly string[]): boolean {
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}

/**
 * What somebody typed to find something: each of these must be the beginning of one of its words. None is the beginning of
 * another, which would ask for nothing more. None at all: nothing was asked for.
 */
export function searchTerms(typed: string): string[] {
  const text = fold(typed.replaceAll("\0", " ").toWellFormed());
  const terms = text.split(/\s+/u).filter((term) => term !== "" && term.length <= MAX_TERM_LENGTH);
  const asked = [...new Set(terms)].slice(0, MAX_TERMS);
  return asked.filter((term) => !asked.some((other) => other !== term && other.startsWith(term)));
}

/** The words that begin with a term, in the order of code points: the first and the last there can be. */
export function wordsFrom(term: string): readonly [first: string, last: string] {
  return [term, term + LAST];
}
