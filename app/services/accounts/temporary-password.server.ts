import { randomInt } from "node:crypto";
import { hours } from "~/lib/durations";

/** How long a temporary password logs in, unless its owner chooses another one before. */
export const TEMPORARY_PASSWORD_MS = hours(24);

/** Without the signs that look alike (0 O o, 1 l I): somebody will read it to somebody else. */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const RANDOM_LENGTH = 8;

/** 8 random characters, 46 bits, followed by `A1!` (specification, section 5). */
export function newTemporaryPassword(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => SIGNS.charAt(randomInt(SIGNS.length)));
  return `${random.join("")}A1!`;
}
