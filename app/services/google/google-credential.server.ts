import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { googleMessages } from "~/operator-messages/google";
import { readServiceAccount } from "./service-account.server";

/** What the product asks of Google, and the right each needs; nothing more is ever asked for. */
export const GOOGLE_SCOPES = {
  sheets: "https://www.googleapis.com/auth/spreadsheets",
  gmail: "https://www.googleapis.com/auth/gmail.send",
} as const;
export type GoogleUse = keyof typeof GOOGLE_SCOPES;

/** Who we are to Google. */
export type GoogleCredential =
  | {
      readonly kind: "login";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      /** What was granted. */
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: "service-account";
      readonly address: string;
      readonly privateKey: string;
      /** Whom it acts for, by domain-wide delegation. */
      readonly subject: string | undefined;
    }
  | { readonly kind: "api-key"; readonly key: string };

export interface GoogleSettings {
  /** DATA_DIR: the login is kept there. */
  readonly folder: string;
  /** GOOGLE_APPLICATION_CREDENTIALS */
  readonly credentials: string | undefined;
  /** GMAIL_USER */
  readonly gmailUser: string | undefined;
  /** GOOGLE_API_KEY */
  readonly apiKey: string | undefined;
}

export type ChosenCredential =
  | { readonly ok: true; readonly credential: GoogleCredential }
  | { readonly ok: false; readonly problem: string };

/**
 * The one place that decides who we are to Google:
 * - For mails: with GMAIL_USER the service account in that user's name, else whoever logged in.
 * - For sheets: whoever logged in; where nobody did, the service account; for reading alone also the API key.
 *
 * @param use `read` is for reading a sheet and nothing else.
 */
export function chooseGoogleCredential(settings: GoogleSettings, use: GoogleUse | "read"): ChosenCredential {
  const { folder, credentials, gmailUser, apiKey } = settings;
  const scope = GOOGLE_SCOPES[use === "read" ? "sheets" : use];
  const says = googleMessages.credential;
  if (use === "gmail" && gmailUser !== undefined) return serviceAccountOf(credentials, gmailUser);

  const login = readLogin(folder);
  if (login.kind === "unsafe") return { ok: false, problem: says.unsafe(login.file, login.mode) };
  if (login.kind === "unreadable") return { ok: false, problem: says.unreadable(login.file) };
  if (login.kind === "login") {
    if (login.scopes.includes(scope)) return { ok: true, credential: login };
    return { ok: false, problem: says.scopeMissing(use === "gmail" ? "gmail" : "sheets") };
  }
  if (use === "gmail") return { ok: false, problem: says.noneForMail };
  if (credentials !== undefined) return serviceAccountOf(credentials, undefined);
  if (apiKey === undefined) return { ok: false, problem: says.noneForSheets };
  if (use !== "read") return { ok: false, problem: says.keyReadsOnly };
  return { ok: true, credential: { kind: "api-key", key: apiKey } };
}

function serviceAccountOf(file: string | undefined, subject: string | undefined): ChosenCredential {
  const account = file === undefined ? undefined : readServiceAccount(file);
  if (!account) return { ok: false, problem: googleMessages.credential.noServiceAccount(file ?? "") };
  const { client_email: address, private_key: privateKey } = account;
  return { ok: true, credential: { kind: "service-account", address, privateKey, subject } };
}

/** What `npm run google -- login` keeps: the client too, so that the server needs nothing else. */
const keptLogin = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
  scope: z.string(),
});
export type KeptLogin = z.infer<typeof keptLogin>;

export const loginFile = (folder: string): string => join(folder, "google-token.json");

type ReadLogin =
  | Extract<GoogleCredential, { kind: "login" }>
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly file: string }
  | { readonly kind: "unsafe"; readonly file: string; readonly mode: string };

/** A file that others can read is not used: whoever has it writes mails in the operator's name. */
export function readLogin(folder: string): ReadLogin {
  const file = loginFile(folder);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return { kind: "none" };
  if (found.mode & 0o077) return { kind: "unsafe", file, mode: (found.mode & 0o777).toString(8) };
  try {
    const kept = keptLogin.parse(JSON.parse(readFileSync(file, "utf8")));
    return {
      ...{ kind: "login", clientId: kept.client_id, clientSecret: kept.client_secret },
      ...{ refreshToken: kept.refresh_token, scopes: kept.scope.split(" ") },
    };
  } catch {
    return { kind: "unreadable", file };
  }
}
