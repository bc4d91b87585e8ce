export type Random = () => number;

/** Creates a Mulberry32 generator: the same numbers in [0, 1) for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a whole number from `least` to `most`, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Picks one of the choices, each equally likely. @throws when there is none. */
export function pickOne<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[between(random, 0, choices.length - 1)];
  if (chosen === undefined) throw new Error("There is nothing to choose from");
  return chosen;
}
