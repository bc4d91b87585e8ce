/** Maximum number of terms: each is searched in every line (C37). */
const MAX_TERMS = 8;

/** Splits a search into at most eight unique words, ASCII lower case, none of them part of another. */
export function toSearchTerms(search: string): string[] {
  const words = new Set(search.split(/\s+/).filter(Boolean).map(toLowerAscii));
  const terms = [...words].slice(0, MAX_TERMS);
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
