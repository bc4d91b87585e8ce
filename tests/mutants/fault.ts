/** A mistake that a colleague could make, for `npm run test:mutants` to put into a copy of the project. */
export interface Fault {
  /** What is wrong with it in place. */
  readonly name: string;
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The file of the tests that must fail: those that are about this code, not some that come across it. */
  readonly tests: string;
  /** A regular expression for the names of the tests to run; needed only where others of the file take long or need a quick machine. */
  readonly only?: string;
}
