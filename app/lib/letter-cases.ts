/** Most letters whose cases are combined: 16 texts. */
const MAX_COMBINED = 4;

/**
 * Lists a text with its letters beyond a to z in either case, in every combination; with more than four such letters as
 * typed, and all in lower and all in upper case. SQLite's lower() and LIKE know the cases of a to z alone.
 */
export function listCases(text: string): string[] {
  const letters = Array.from(text, toCases);
  const combined = letters.filter((cases) => cases.length > 1);
  if (combined.length > MAX_COMBINED) {
    return [
      ...new Set([text, ...[0, 1].map((at) => letters.map((cases) => cases[at] ?? cases[0]).join(""))]),
    ];
  }
  return letters.reduce<string[]>(
    (texts, cases) => texts.flatMap((text) => cases.map((letter) => text + letter)),
    [""],
  );
}

/** Returns a letter beyond a to z in lower and upper case; anything else, such as a letter whose capital is two, as it is. */
function toCases(letter: string): [string, ...string[]] {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  const hasCases = letter > "\x7f" && lower !== upper && lower.length === upper.length;
  return hasCases ? [lower, upper] : [letter];
}
