import type { Provenance } from "~/services/audit/audit.server";

/** Where a request comes from. */
export interface RequestOrigin extends Provenance {
  /** The full address: what limits count by. */
  readonly address: string;
  readonly userAgent: string;
}
