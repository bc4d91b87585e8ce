/** A company that uses the application (specification, section 3). */
export interface Tenant {
  /** The application's own id of it. */
  readonly id: string;
  readonly name: string;
  /** Empty when there is none. */
  readonly domain: string;
}

/**
 * The port for the companies a broadcast can be for. Drivers: docs/drivers.md. Contract: tests/contracts/tenants.test.ts.
 *
 * Contract
 * - `list` gives all of them in the order of their names; none is an empty list.
 * - It throws when they cannot be read. A page that only offers them stands without.
 */
export interface TenantDirectory {
  readonly name: string;
  list(): Promise<Tenant[]>;
}
