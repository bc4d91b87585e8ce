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
  C46: ["emails of one token to a mail server that is slow"],
  C47: ["pages with the cookie of an ended session", "an operator's pages"],
  C48: ["paths that look like files"],
  C49: ["passwords guessed from a /48"],
  C51: ["the data parameter of earlier Remix"],
  R37: ["hostile push registrations", "odd characters everywhere"],
} as const;
export type Attack = (typeof ATTACKS)[keyof typeof ATTACKS][number];
