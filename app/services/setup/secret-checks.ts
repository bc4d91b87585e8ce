import { createECDH } from "node:crypto";
import {
  notApplicable,
  ok,
  problem,
  errorCheck,
  slowErrorCheck,
  type SetupCheck,
  type Verdict,
} from "./setup-check";
import type { Environment } from "~/env.server";

/** Secrets that an operator may set. app/env.server.ts demands 32 characters of each. */
const SECRETS = ["SESSION_SECRET", "FORM_SECRET", "BOUNCE_WEBHOOK_SECRET", "METRICS_TOKEN"] as const;
type SecretName = (typeof SECRETS)[number];
const MIN_DIFFERENT = 5;

const EXAMPLE = "for example from openssl rand -hex 32";
/** A consequence of changing the key: it encrypts the keys of two-factor codes. */
const TWO_FACTOR_CONSEQUENCE =
  " After that, everybody with two-factor login must set it up again (docs/operations.md).";
const GENERATED = ok("The product generated its own: 32 random bytes, stored in the database.");

/** Checks of the secrets. */
export const secretChecks: readonly SetupCheck[] = [
  errorCheck("session-secret", ["SESSION_SECRET"], ({ settings }) => {
    const verdict = checkSecret(settings, "SESSION_SECRET", GENERATED);
    return verdict.outcome === "problem" ? problem(verdict.why + TWO_FACTOR_CONSEQUENCE) : verdict;
  }),
  errorCheck("form-secret", ["FORM_SECRET"], ({ settings }) =>
    checkSecret(settings, "FORM_SECRET", GENERATED),
  ),
  errorCheck("bounce-secret", ["BOUNCE_WEBHOOK_SECRET"], ({ settings }) =>
    checkSecret(settings, "BOUNCE_WEBHOOK_SECRET", notApplicable("Bounce reports are not accepted.")),
  ),
  errorCheck("metrics-token", ["METRICS_TOKEN"], ({ settings }) =>
    checkSecret(settings, "METRICS_TOKEN", notApplicable("/metrics is closed.")),
  ),
  errorCheck(
    "push-keys",
    ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"],
    ({ settings: { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } }) => {
      if (publicKey === undefined || privateKey === undefined)
        return ok("The product generated its own push keys.");
      return getPublicKey(privateKey) === publicKey
        ? ok("The push keys belong together.")
        : problem(
            "VAPID_PUBLIC_KEY does not match VAPID_PRIVATE_KEY: no push service would accept our messages.",
          );
    },
  ),
  slowErrorCheck(
    "google-key-file",
    ["GOOGLE_APPLICATION_CREDENTIALS"],
    ({ settings: { GOOGLE_APPLICATION_CREDENTIALS: path }, googleKeyFile: file }) => {
      if (path === undefined) return notApplicable("GOOGLE_APPLICATION_CREDENTIALS is not set.");
      if (!file) return problem(`${path} (GOOGLE_APPLICATION_CREDENTIALS) cannot be read.`);
      if (!file.isServiceAccount) return problem(`${path} is not a service account key file.`);
      return file.mode & 0o077
        ? problem(`Others can read ${path} (mode ${file.mode.toString(8)}): run chmod 600 on it.`)
        : ok(`Only the owner can read ${path}.`);
    },
  ),
  slowErrorCheck("env-file", [], ({ program: { envFileMode: mode } }) => {
    if (mode === undefined) return notApplicable("There is no .env.");
    return mode & 0o077
      ? problem(`Others can read .env and its secrets (mode ${mode.toString(8)}): run chmod 600 .env.`)
      : ok("Only the owner can read .env.");
  }),
];

/** @param unset the verdict when the variable is not set. */
function checkSecret(settings: Environment, name: SecretName, unset: Verdict): Verdict {
  const secret = settings[name];
  if (secret === undefined) return unset;
  if (new Set(secret).size < MIN_DIFFERENT) {
    return problem(
      `${name} has fewer than ${MIN_DIFFERENT} different characters: generate it randomly, ${EXAMPLE}.`,
    );
  }
  const same = SECRETS.find((other) => other !== name && settings[other] === secret);
  if (same)
    return problem(`${name} is the same as ${same}, so whoever knows one knows the other: generate another.`);
  return ok(`${name} is random enough.`);
}

/**
 * Returns the public key, an uncompressed point on P-256, of a private scalar, both base64url; undefined when it is
 * invalid.
 */
function getPublicKey(scalar: string): string | undefined {
  try {
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(Buffer.from(scalar, "base64url"));
    return pair.getPublicKey().toString("base64url");
  } catch {
    return undefined;
  }
}
