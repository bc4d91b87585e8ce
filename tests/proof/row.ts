/** A test, by its file and a part of its name. */
export type NamedTest = readonly [file: string, name: string];

/** Something the product promises, and where that is proven. */
export interface Row {
  readonly what: string;
  readonly tests: readonly NamedTest[];
  /** What of it does not hold, and why; with tests beside it the rest does. */
  readonly notHeld?: string;
}

export interface Section {
  readonly title: string;
  readonly about: string;
  /** Its rows are only counted: the page it is made of names their tests. */
  readonly isOnlyCounted?: boolean;
  readonly rows: readonly Row[];
}

export const row = (what: string, ...tests: NamedTest[]): Row => ({ what, tests });
export const notHeld = (what: string, why: string, ...tests: NamedTest[]): Row => ({
  what,
  tests,
  notHeld: why,
});
