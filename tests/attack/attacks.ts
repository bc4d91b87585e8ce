/** Attacks by their row in docs/hardening.md. A separate file, because importing attacker.ts serves calls. */
export const ATTACKS = {
  C37: ["forms of 17,000 fields", "the worst shapes of every kind of body"],
  C38: [
    "300 bodies that never come",
    "3,000 bodies that drip in",
    "400 pipelined requests whose responses nobody reads",
    "forged session cookies",
  ],
  C40: ["100 loops of guessed passwords"],
  R37: ["hostile push registrations", "odd characters everywhere"],
} as const;
export type Attack = (typeof ATTACKS)[keyof typeof ATTACKS][number];
