/** A company that uses the application (specification, section 3). */
export interface Tenant {
  /** Id in the application. */
  readonly id: string;
  readonly name: string;
  /** May be empty. */
  readonly domain: string;
}

/**
 * The port of the companies a broadcast can target. Drivers: docs/drivers.md. Contract:
 * tests/contracts/tenants.test.ts.
 *
 * Contract
 * - `list` returns all companies in the order of their names; an empty list when there are none.
 * - It throws when they cannot be read. A page that only offers them is rendered without them.
 */
export interface TenantDirectory {
  readonly name: string;
  list(): Promise<Tenant[]>;
}
