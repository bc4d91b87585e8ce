import { generateSecret, generateURI, verifySync } from "otplib";

/** In seconds; the default of every authenticator app (RFC 6238, with SHA-1 and six digits). */
const STEP_SECONDS = 30;
/** Recommended size: 160 bits (RFC 4226, section 4). */
const SECRET_BYTES = 20;

const CODE = /^\d{6}$/;

/** Creates a secret, base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** Creates the URI that the QR code carries to the app. */
export const totpUri = (account: { issuer: string; label: string; secret: string }): string =>
  generateURI({ ...account, period: STEP_SECONDS });

export const isTotpCode = (normalized: string): boolean => CODE.test(normalized);

/**
 * Finds the time step that a code belongs to, or undefined. One step to each side counts too: for a code typed
 * while it changed, and a clock that is off by half a minute (RFC 6238, section 5.2). Compares in constant
 * time.
 * @param normalized by normalizeCode; anything but six digits matches no step.
 * @param now epoch milliseconds.
 */
export function findTimeStep(secret: string, normalized: string, now: number): number | undefined {
  if (!isTotpCode(normalized)) return undefined;
  const epoch = Math.floor(now / 1000);
  const verdict = verifySync({
    secret,
    token: normalized,
    epoch,
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
  });
  return verdict.valid && "timeStep" in verdict ? verdict.timeStep : undefined;
}
