import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib";
import { encode } from "uqr";

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

export const isTotpCode = (bare: string): boolean => CODE.test(bare);

/**
 * Finds the time step that a code belongs to, or undefined. One step to each side counts too: for a code typed
 * while it changed, and a clock that is off by half a minute (RFC 6238, section 5.2). Compares in constant
 * time.
 * @param bare code as typed, without spaces; anything but six digits matches no step.
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

/** Quiet zone in squares (ISO/IEC 18004): cameras do not find the code without it. */
const QUIET_ZONE = 4;

/**
 * Renders a text as a QR code: one SVG path of squares of 1 unit, in an area of size by size units. Adjacent dark
 * squares of a row are one rectangle.
 */
export function createQrCode(text: string) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const path = data.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...line.matchAll(/#+/g)].map(
      ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
    );
  });
  return { size, path: path.join("") };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export type SecretBox = ReturnType<typeof createSecretBox>;

/**
 * Encrypts secrets that, unlike a password, must be read again, against an attacker who reads only the
 * database: AES-256-GCM under a key derived from the session secret (HKDF, RFC 5869), bound to the account.
 */
export function createSecretBox(sessionSecret: string) {
  const key = Buffer.from(hkdfSync("sha256", sessionSecret, "", "second factor secrets", 32));

  return {
    seal(text: string, accountId: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(accountId));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },

    /** @throws when the text was sealed for another account or with another session secret. */
    open(sealed: string, accountId: string): string {
      const bytes = Buffer.from(sealed, "base64url");
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(accountId))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    },
  };
}
