/** An account somebody else keeps. */
export interface KnownAccount {
  readonly email: string;
  /** Empty when it is not told. */
  readonly fullName: string;
  /** Whatever it is called there; empty when it is not told. */
  readonly role: string;
}

/**
 * The port for lists of accounts kept elsewhere, to begin with them. Drivers: docs/drivers.md. Contract:
 * tests/contracts/account-import.test.ts.
 *
 * Contract
 * - `list` gives all of them as they stand there, in their order, unchecked; none is an empty list.
 * - It throws an UpstreamError when they cannot be read, whole.
 */
export interface AccountSource {
  readonly name: string;
  list(): Promise<readonly KnownAccount[]>;
}
