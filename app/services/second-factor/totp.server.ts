import { generateSecret, generateURI, verifySync } from "otplib";

/** In seconds; what every authenticator app takes without being told (RFC 6238, with SHA-1 and six digits). */
const STEP_SECONDS = 30;
/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20;

const CODE = /^\d{6}$/;

/** A new secret, base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** What the QR code says to the app. */
export const totpUri = (given: { issuer: string; label: string; secret: string }): string =>
  generateURI({ ...given, period: STEP_SECONDS });

export const isTotpCode = (bare: string): boolean => CODE.test(bare);

/**
 * The time step whose code this is, or undefined. One step to each side counts too: a code typed while it changed, and a
 * clock that is half a minute wrong (RFC 6238, section 5.2). Compares in constant time.
 * @param bare what was typed; anything but six digits is nobody's code.
 * @param now epoch milliseconds.
 */
export function stepOfCode(secret: string, bare: string, now: number): number | undefined {
  if (!isTotpCode(bare)) return undefined;
  const epoch = Math.floor(now / 1000);
  const verdict = verifySync({
    secret,
    token: bare,
    epoch,
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  });
  return verdict.valid && "timeStep" in verdict ? verdict.timeStep : undefined;
}
