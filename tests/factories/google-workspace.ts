import { readFileSync } from "node:fs";
import { openGoogleAccount } from "~/services/google/drivers/google-account.server";
import { openGoogleTransport } from "~/services/google/drivers/google-transport.server";
import type { GoogleCredential, GoogleUse } from "~/services/google/google-credential.server";
import { GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import { GoogleSheetsMirror } from "~/services/mirrors/drivers/google-sheets-mirror.server";
import { Tab } from "../fakes/spreadsheet-grid";
import type { Workspace } from "../fakes/google-workspace";
import { createTestClock } from "./time";

export const SPREADSHEETS = {
  "early-access": { id: "early-access-1a2b3c4d5e6f", variable: "SHEET_EARLY_ACCESS_ID" },
  "contact-form": { id: "contact-form-1a2b3c4d5e6f", variable: "SHEET_CONTACT_ID" },
  "updates-signup": { id: "updates-signup-1a2b3c4d5e", variable: "SHEET_UPDATES_ID" },
} as const;

/** Environment variables of a server process that mirrors submissions into these spreadsheets. */
export const getSheetsEnvironment = ({
  credentials,
  proxy,
  certFile,
}: Workspace): Record<string, string> => ({
  ...Object.fromEntries(Object.values(SPREADSHEETS).map(({ id, variable }) => [variable, id])),
  SUBMISSION_MIRROR: "google-sheets",
  GOOGLE_APPLICATION_CREDENTIALS: credentials,
  // Node's own variable: certificates it trusts beside the public authorities.
  GOOGLE_PROXY: proxy,
  NODE_EXTRA_CA_CERTS: certFile,
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

/** Creates a mirror into three new spreadsheets, with a clock that its waits advance. */
export function createSheetsMirror(
  google: Workspace,
  {
    credential = createCredential["service-account"](google),
    clock = createTestClock(),
    tab = new Tab(),
    ...different
  }: {
    credential?: GoogleCredential;
    clock?: ReturnType<typeof createTestClock>;
    /** The tab of the early access spreadsheet. */
    tab?: Tab;
    timeoutMs?: number;
    ca?: string;
  } = {},
) {
  const tabs = { "early-access": tab, "contact-form": new Tab(), "updates-signup": new Tab() };
  google.spreadsheet(SPREADSHEETS["early-access"].id, [tab]);
  google.spreadsheet(SPREADSHEETS["contact-form"].id, [tabs["contact-form"]]);
  google.spreadsheet(SPREADSHEETS["updates-signup"].id, [tabs["updates-signup"]]);
  const account = openTestAccount(google, credential, "sheets", different);
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    clock.forward(ms);
  };
  const mirror = new GoogleSheetsMirror({ account, spreadsheets: SPREADSHEETS, clock, wait });
  return { mirror, tabs, clock, waits, account };
}
