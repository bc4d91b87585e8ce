/** A test identified by its file and a part of its name. */
export type NamedTest = readonly [file: string, name: string];

/** A promise of the product and the tests that prove it. */
export interface Row {
  readonly what: string;
  readonly tests: readonly NamedTest[];
  /** Part of the promise that does not hold, and why; the tests prove the rest. */
  readonly notHeld?: string;
}

export interface Section {
  readonly title: string;
  readonly about: string;
  /** Whether its rows are only counted, because the page they come from names their tests. */
  readonly isOnlyCounted?: boolean;
  readonly rows: readonly Row[];
}

export const row = (what: string, ...tests: NamedTest[]): Row => ({ what, tests });
export const notHeld = (what: string, why: string, ...tests: NamedTest[]): Row => ({
  what,
  tests,
  notHeld: why,
});
