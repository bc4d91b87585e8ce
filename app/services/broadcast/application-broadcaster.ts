import type { Target, Content } from "./message";

/**
 * The port of a backend that broadcasts to the application's own devices. Drivers: docs/drivers.md. Contract:
 * tests/contracts/platform-broadcasts.test.ts.
 *
 * Contract
 * - `send` makes one request and settles within the driver's timeout (10 s). It never throws for a failure of
 *   the backend or the network: each is an `ApplicationOutcome`.
 * - It is not idempotent: a message that is sent twice arrives twice.
 */
export interface ApplicationBroadcaster {
  send(target: Target, content: Pick<Content, "title" | "body">): Promise<ApplicationOutcome>;
}

/**
 * The outcome of a request. `detail` is the backend's own message: one line without secrets.
 * - sent: the backend sent the message and returned its counts.
 * - later: it certainly sent nothing; a retry may succeed.
 * - refused: it sent nothing; a retry is pointless.
 * - uncertain: it may have sent the message to all, some or no devices.
 */
export type ApplicationOutcome =
  | { readonly kind: "sent"; readonly successCount: number; readonly failureCount: number }
  | { readonly kind: "later"; readonly detail: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: "refused" | "uncertain"; readonly detail: string };
