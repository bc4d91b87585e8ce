import type { Provenance } from "~/services/audit/audit.server";

/** Origin of a request, with its full address. */
export interface RequestOrigin extends Provenance {
  /** Full address, which rate limits count by. */
  readonly address: string;
  readonly userAgent: string;
}
