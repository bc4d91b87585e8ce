/** A plausible mistake that `npm run test:mutants` puts into a copy of the project. Its key describes it. */
export interface Fault {
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  /** The text is removed when absent. */
  readonly replace?: string;
  /** Test file that must fail: one about this code, not one that only passes through it. By default the one beside it. */
  readonly tests?: string;
  /**
   * Regular expression for the names of the tests to run; needed only where others of the file are slow or need
   * a fast machine.
   */
  readonly only?: string;
}
