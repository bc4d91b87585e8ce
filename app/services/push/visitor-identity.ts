/**
 * Port for a visitor's identity for push: anonymous, and the same on every visit with the same browser.
 * Drivers: docs/drivers.md.
 *
 * Contract
 * - A page gets its ID token from the driver's own sign-in and sends it as a bearer token; it is valid for an
 *   hour.
 * - `verify` never throws for input of a visitor. It throws an UpstreamError while the service that signs visitors in
 *   cannot be asked.
 */
export interface VisitorIdentity {
  /** Returns the visitor's unique id; undefined for a token that is forged, expired, or for something else. */
  verify(idToken: string): Promise<string | undefined>;
}
