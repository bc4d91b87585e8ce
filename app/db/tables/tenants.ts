import type { EpochMs } from "./columns";

/** Companies that use the application (specification, section 3). Ids are the application's own. */
export interface TenantsTable {
  id: string;
  name: string;
  /** Empty when there is none. */
  domain: string;
  updated_at: EpochMs;
}
