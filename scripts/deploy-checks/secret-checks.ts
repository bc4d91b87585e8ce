import { createECDH } from "node:crypto";
import type { DeployCheck, Verdict } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";
import type { Environment } from "~/env.server";

/** Django's rule for its own key (check security.W009). */
const LENGTH = 50;
const DIFFERENT = 5;
/** 32 bytes, as docs/operations.md says to make one. */
const SHARED_LENGTH = 32;

const HOW = "as from openssl rand -base64 48";
/** A consequence of changing the key: it encrypts the keys of two-factor codes. */
const BUT_CODES = " Whoever has two-factor login sets it up again then (docs/operations.md).";
const SECRETS = ["SESSION_SECRET", "FORM_SECRET", "BOUNCE_WEBHOOK_SECRET", "METRICS_TOKEN"] as const;
type SecretName = (typeof SECRETS)[number];

/** Checks of the secrets. */
export const secretChecks: readonly DeployCheck[] = [
  {
    id: "session-secret",
    severity: "error",
    check: ({ settings }) => {
      const verdict = judgeKey(settings, "SESSION_SECRET");
      return verdict.is === "trouble" ? trouble(verdict.sentence + BUT_CODES) : verdict;
    },
  },
  { id: "form-secret", severity: "error", check: ({ settings }) => judgeKey(settings, "FORM_SECRET") },
  {
    id: "bounce-secret",
    severity: "error",
    check: ({ settings }) =>
      settings.BOUNCE_WEBHOOK_SECRET === undefined
        ? notApplicable("No reports of bounces are taken.")
        : judgeSecret(settings, "BOUNCE_WEBHOOK_SECRET", SHARED_LENGTH),
  },
  {
    id: "metrics-token",
    severity: "error",
    check: ({ settings }) =>
      settings.METRICS_TOKEN === undefined
        ? notApplicable("Nobody may read /metrics.")
        : judgeSecret(settings, "METRICS_TOKEN", SHARED_LENGTH),
  },
  {
    id: "push-keys",
    severity: "error",
    check: ({ settings: { VAPID_PUBLIC_KEY: given, VAPID_PRIVATE_KEY: key } }) => {
      if (given === undefined || key === undefined)
        return ok("The keys of push messages are the product's own.");
      return publicKeyOf(key) === given
        ? ok("The keys of push messages belong together.")
        : trouble(
            "VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY: no push service would take our messages.",
          );
    },
  },
  {
    id: "google-key-file",
    severity: "error",
    check: ({ settings: { GOOGLE_APPLICATION_CREDENTIALS: path }, googleKeyFile: file }) => {
      if (path === undefined) return notApplicable("GOOGLE_APPLICATION_CREDENTIALS is not set.");
      if (!file) return trouble(`${path} (GOOGLE_APPLICATION_CREDENTIALS) cannot be read.`);
      if (!file.isServiceAccount) return trouble(`${path} is no service account's key file.`);
      return file.mode & 0o077
        ? trouble(`Others can read ${path}, mode ${file.mode.toString(8)}: chmod 600 it.`)
        : ok(`${path} is its owner's alone.`);
    },
  },
  {
    id: "env-file",
    severity: "error",
    check: ({ program: { envFileMode: mode } }) => {
      if (mode === undefined) return notApplicable("There is no .env.");
      return mode & 0o077
        ? trouble(`Others can read .env and its secrets, mode ${mode.toString(8)}: chmod 600 .env`)
        : ok(".env is its owner's alone.");
    },
  },
];

/** Judges a key; the product's own are 32 random bytes, stored in its database. */
function judgeKey(settings: Environment, name: SecretName): Verdict {
  if (settings[name] === undefined) return ok("The product's own: 32 random bytes, kept in the database.");
  return judgeSecret(settings, name, LENGTH);
}

function judgeSecret(settings: Environment, name: SecretName, length: number): Verdict {
  const secret = settings[name] ?? "";
  if (secret.length < length) return trouble(`Give ${name} ${length} signs or more, ${HOW}.`);
  if (new Set(secret).size < DIFFERENT) {
    return trouble(`${name} has fewer than ${DIFFERENT} different signs: make it by chance, ${HOW}.`);
  }
  const twin = SECRETS.find((other) => other !== name && settings[other] === secret);
  if (twin) return trouble(`${name} is the same as ${twin}: who knows one knows the other. Make another.`);
  return ok(`${name} is long and mixed enough.`);
}

/**
 * Returns the public key, an uncompressed point on P-256, of a private scalar, both base64url; undefined when it is
 * invalid.
 */
function publicKeyOf(scalar: string): string | undefined {
  try {
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(Buffer.from(scalar, "base64url"));
    return pair.getPublicKey().toString("base64url");
  } catch {
    return undefined;
  }
}
