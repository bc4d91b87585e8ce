import { codePoints } from "~/lib/clean-text";
import commonPasswords from "./common-passwords.txt?raw";
import { LONGEST_PASSWORD } from "./password-hasher";

export type PasswordProblem = "too-short" | "too-long" | "common" | "brand";

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;

/**
 * What a password must be when a person chooses it: long enough, and not among what is guessed first. No rules about
 * kinds of characters: they make passwords harder to remember, not to guess (ASVS 6.2.5).
 * @param minLength in code points (PASSWORD_MIN_LENGTH; the specification's default is 6).
 * @param brandWords what the product is called; a password of nothing but these, digits and signs is refused.
 */
export function createPasswordPolicy(wanted: { minLength: number; brandWords: readonly string[] }) {
  const brandWords = wanted.brandWords.map((word) => lettersOf(word));

  return {
    minLength: wanted.minLength,
    maxLength: LONGEST_PASSWORD,

    /** The first rule a password breaks, or undefined. */
    problemWith(password: string): PasswordProblem | undefined {
      if (password.length > LONGEST_PASSWORD) return "too-long";
      if (codePoints(password.normalize("NFC")) < wanted.minLength) return "too-short";
      if (commonOnes().has(password.toLowerCase())) return "common";
      return isBrand(password) ? "brand" : undefined;
    },
  };

  function isBrand(password: string): boolean {
    const letters = lettersOf(password);
    const rest = brandWords.reduce((left, word) => left.replaceAll(word, ""), letters);
    return letters !== "" && rest === "";
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/\P{L}/gu, "");
}

let known: ReadonlySet<string> | undefined;
/** Read when first needed, then kept: one look-up in a set. */
function commonOnes(): ReadonlySet<string> {
  known ??= new Set(commonPasswords.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
  return known;
}
