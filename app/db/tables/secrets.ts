import type { EpochMs } from "./columns";

/** Keys the product makes for itself on first start; the environment overrides them. */
export interface SecretsTable {
  name: string;
  value: string;
  created_at: EpochMs;
}
