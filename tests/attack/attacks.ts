/** What a stranger may try (docs/hardening.md). A file of its own: the attacker's begins to listen where it is imported. */
export const ATTACKS = [
  "forms of 17,000 fields",
  "the worst shapes of every kind of body",
  "300 bodies that never come",
  "3,000 bodies that drip in",
  "400 pipelined requests whose answers nobody reads",
  "forged session cookies",
  "100 loops of guessed passwords",
  "hostile push registrations",
  "odd characters everywhere",
] as const;
export type Attack = (typeof ATTACKS)[number];

export interface AttackQuestion {
  readonly attack: Attack;
  readonly port: number;
  /** Local addresses to attack from, in turns. */
  readonly addresses: readonly string[];
  readonly ms: number;
}
/** How many answers came, by status or the code of an error. */
export type AttackAnswer = Readonly<Record<string, number>>;

/** The row that each tries. */
export const IDS: Readonly<Record<Attack, string>> = {
  "forms of 17,000 fields": "C37",
  "the worst shapes of every kind of body": "C37",
  "300 bodies that never come": "C38",
  "3,000 bodies that drip in": "C38",
  "400 pipelined requests whose answers nobody reads": "C38",
  "forged session cookies": "C38",
  "100 loops of guessed passwords": "C40",
  "hostile push registrations": "R37",
  "odd characters everywhere": "R37",
};
