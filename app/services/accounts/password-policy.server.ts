import { codePoints } from "~/lib/clean-text";
import commonPasswords from "./common-passwords.txt?raw";
import { MAX_PASSWORD_LENGTH } from "./password-hasher";

export type PasswordProblem = "too-short" | "too-long" | "common" | "brand";

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;

/**
 * Checks passwords that people choose: long enough, and not among those guessed first. There are no rules about
 * kinds of characters: they make passwords harder to remember, not harder to guess (ASVS 6.2.5).
 * @param minLength in code points (PASSWORD_MIN_LENGTH; the specification's default is 6).
 * @param brandWords names of the product; a password made of nothing but these, digits and symbols is refused.
 */
export function createPasswordPolicy(wanted: { minLength: number; brandWords: readonly string[] }) {
  // The longest first: one of them may be a part of another.
  const brandWords = wanted.brandWords
    .map((word) => toLetters(word))
    .toSorted((one, other) => other.length - one.length);

  return {
    minLength: wanted.minLength,
    maxLength: MAX_PASSWORD_LENGTH,

    /** Returns the first rule that the password breaks, or undefined. */
    findProblem(password: string): PasswordProblem | undefined {
      if (password.length > MAX_PASSWORD_LENGTH) return "too-long";
      if (codePoints(password.normalize("NFC")) < wanted.minLength) return "too-short";
      if (commonOnes().has(password.toLowerCase())) return "common";
      return isBrand(password) ? "brand" : undefined;
    },
  };

  function isBrand(password: string): boolean {
    const letters = toLetters(password);
    const rest = brandWords.reduce((left, word) => left.replaceAll(word, ""), letters);
    return letters !== "" && rest === "";
  }
}

function toLetters(text: string): string {
  // NFC, as the password is hashed: a letter with an accent is otherwise a letter and a mark.
  return text.normalize("NFC").toLowerCase().replace(/\P{L}/gu, "");
}

let known: ReadonlySet<string> | undefined;
/** Reads the list on first use and keeps it as a set. */
function commonOnes(): ReadonlySet<string> {
  known ??= new Set(commonPasswords.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
  return known;
}
