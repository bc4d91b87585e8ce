/** An account that another system keeps. */
export interface ListedAccount {
  readonly email: string;
  /** Empty when the source does not give it. */
  readonly fullName: string;
  /** Role as the source names it; empty when the source does not give it. */
  readonly role: string;
}

/**
 * Port for lists of accounts kept in other systems, used for the first import. Drivers: docs/drivers.md.
 * Contract: tests/contracts/account-import.test.ts, of the sheet google-sheets-reading.test.ts beside it.
 *
 * Contract
 * - `list` returns all accounts unchecked and in the source's order; an empty source is an empty list.
 * - It throws an UpstreamError when it cannot read the complete list.
 */
export interface AccountSource {
  list(): Promise<readonly ListedAccount[]>;
}
