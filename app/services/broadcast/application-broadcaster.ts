import type { Target } from "./audience";
import type { Content } from "./message";

/**
 * The port for whoever reaches the application's own devices, all at once and by itself. Drivers: docs/drivers.md. Contract:
 * tests/contracts/platform-broadcasts.test.ts.
 *
 * Contract
 * - `send` asks once, and settles within the driver's own timeout (10 s). It never throws for what the other side or the
 *   network does: every such ending is an `ApplicationOutcome`.
 * - Sent again, a message arrives again: nothing here or there knows it by an id.
 */
export interface ApplicationBroadcaster {
  send(target: Target, content: Pick<Content, "title" | "body">): Promise<ApplicationOutcome>;
}

/**
 * How asking ended. `detail` holds the other side's own words, one line, no secrets.
 * - sent: it did, and counted.
 * - later: it certainly did nothing, and may do it in a while.
 * - refused: it did nothing and will not.
 * - uncertain: it may have sent it, to all, to some or to none.
 */
export type ApplicationOutcome =
  | { readonly kind: "sent"; readonly successCount: number; readonly failureCount: number }
  | { readonly kind: "later"; readonly detail: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: "refused" | "uncertain"; readonly detail: string };
