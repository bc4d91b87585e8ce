import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

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
