import { readFileSync } from "node:fs";
import { openGoogleAccount } from "~/services/google/drivers/google-account.server";
import { openGoogleTransport } from "~/services/google/drivers/google-transport.server";
import type { GoogleCredential, GoogleUse } from "~/services/google/google-credential.server";
import { GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import type { Workspace } from "../fakes/google-workspace";

export const SPREADSHEETS = {
  "early-access": { id: "early-access-1a2b3c4d5e6f", variable: "SHEET_EARLY_ACCESS_ID" },
  "contact-form": { id: "contact-form-1a2b3c4d5e6f", variable: "SHEET_CONTACT_ID" },
  "updates-signup": { id: "updates-signup-1a2b3c4d5e", variable: "SHEET_UPDATES_ID" },
} as const;

/** Environment variables that name these spreadsheets. */
export const SHEET_IDS: Record<string, string> = Object.fromEntries(
  Object.values(SPREADSHEETS).map(({ id, variable }) => [variable, id]),
);

/** Environment variables of a server process that mirrors submissions into these spreadsheets. */
export const getSheetsEnvironment = (google: Workspace): Record<string, string> => ({
  ...SHEET_IDS,
  SUBMISSION_MIRROR: "google-sheets",
  GOOGLE_APPLICATION_CREDENTIALS: google.credentials,
  GOOGLE_PROXY: google.proxy,
  // Node's own variable: certificates it trusts beside the public authorities.
  NODE_EXTRA_CA_CERTS: google.certFile,
});

/** Makes credentials that the fake Google of a test accepts, by kind. */
export const createCredential = {
  "service-account": (google: Workspace, subject?: string): GoogleCredential => {
    const file = JSON.parse(readFileSync(google.credentials, "utf8")) as { private_key: string };
    return { kind: "service-account", address: google.robot, privateKey: file.private_key, subject };
  },
  login: (google: Workspace, scopes: readonly string[] = Object.values(GOOGLE_SCOPES)): GoogleCredential => ({
    kind: "login",
    clientId: google.client.id,
    clientSecret: google.client.secret,
    refreshToken: google.issueRefreshToken(scopes),
    scopes,
  }),
  "api-key": (google: Workspace): GoogleCredential => ({ kind: "api-key", key: google.apiKey }),
};

/** Opens a Google account that reaches only the fake Google of this test. */
export function openTestAccount(
  google: Workspace,
  credential: GoogleCredential,
  use: GoogleUse,
  different: { timeoutMs?: number; ca?: string } = {},
) {
  const { proxy, cert } = google;
  return openGoogleAccount(credential, use, openGoogleTransport({ proxy, ca: cert, ...different }));
}
