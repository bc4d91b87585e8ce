/**
 * The port for who a visitor is to push: nobody in particular, and the same one on every visit with the same browser.
 * Drivers: docs/drivers.md.
 *
 * Contract
 * - A page gets its ID token from the driver's own sign-in and shows it as a bearer; it is good for an hour.
 * - `verify` never throws for what a visitor sends.
 */
export interface VisitorIdentity {
  readonly name: string;
  /** @returns the visitor's unique id; undefined for a token that is forged, over, or made for something else. */
  verify(idToken: string): Promise<string | undefined>;
}
