import type { Provenance } from "~/services/audit/audit.server";

export interface RequestOrigin extends Provenance {
  /** Full address, which rate limits count by. */
  readonly address: string;
  readonly userAgent: string;
}
