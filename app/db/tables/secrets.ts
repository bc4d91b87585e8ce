import type { EpochMs } from "./columns";

/** Keys the product creates on first start; the environment overrides them. */
export interface SecretsTable {
  name: string;
  value: string;
  created_at: EpochMs;
}
