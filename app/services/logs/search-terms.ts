/**
 * Maximum number of terms: each is searched in every line, so that a search costs at most eight times the lines
 * (C37).
 */
const MAX_TERMS = 8;

/**
 * Splits a search into its terms: unique words, ASCII letters in lower case, without words contained in another
 * term, at most eight.
 */
export function toSearchTerms(search: string): string[] {
  const words = new Set(search.split(/\s+/).filter(Boolean).map(toLowerAscii));
  const terms = [...words].slice(0, MAX_TERMS);
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
