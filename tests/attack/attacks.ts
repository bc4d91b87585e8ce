/** Attacks, each with its row in docs/hardening.md. A separate file, because importing attacker.ts serves calls. */
export const IDS = {
  "forms of 17,000 fields": "C37",
  "the worst shapes of every kind of body": "C37",
  "300 bodies that never come": "C38",
  "3,000 bodies that drip in": "C38",
  "400 pipelined requests whose responses nobody reads": "C38",
  "forged session cookies": "C38",
  "100 loops of guessed passwords": "C40",
  "hostile push registrations": "R37",
  "odd characters everywhere": "R37",
} as const;
export type Attack = keyof typeof IDS;
export const ATTACKS = Object.keys(IDS) as Attack[];
