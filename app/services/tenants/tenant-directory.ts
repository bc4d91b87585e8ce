import type { TenantsTable } from "~/db/tables/broadcast";

/** A company that uses the application (specification, section 3). */
export type Tenant = Readonly<Omit<TenantsTable, "updated_at">>;

/**
 * The port of the companies a broadcast can target. Drivers: docs/drivers.md. Contract:
 * tests/contracts/tenants.test.ts.
 *
 * Contract
 * - `list` returns all companies in the order of their names; an empty list when there are none.
 * - It throws when they cannot be read. A page that only offers them is rendered without them.
 */
export interface TenantDirectory {
  list(): Promise<Tenant[]>;
}
