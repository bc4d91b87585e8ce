/** Each is looked for in every line, so that a search may cost eight times the lines and no more (C37). */
const MAX_TERMS = 8;

/**
 * What stands in every line that a search finds: its words, capital letters of ASCII as small ones. Each once, none that is
 * part of another, which would ask for nothing more, and the first eight of them.
 */
export function logSearchTerms(search: string): string[] {
  const words = new Set(search.split(/\s+/).filter(Boolean).map(toLowerAscii));
  const terms = [...words].slice(0, MAX_TERMS);
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
