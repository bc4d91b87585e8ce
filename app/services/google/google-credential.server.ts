import { createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { googleMessages } from "~/content/google";

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
      kind: "login",
      clientId: kept.client_id,
      clientSecret: kept.client_secret,
      refreshToken: kept.refresh_token,
      scopes: kept.scope.split(" "),
    };
  } catch {
    return { kind: "unreadable", file };
  }
}

/** Keeps a login for its owner alone (mode 0600). The file is whole or as it was before. */
export async function keepLogin(folder: string, login: KeptLogin): Promise<string> {
  const file = loginFile(folder);
  const unfinished = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(login, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  return file;
}

export const forgetLogin = (folder: string): Promise<void> => rm(loginFile(folder), { force: true });

const serviceAccount = z.object({
  type: z.literal("service_account"),
  project_id: z.string().min(1),
  client_email: z.email(),
  private_key: z.string().refine(isPrivateKey),
});

export type ServiceAccount = z.infer<typeof serviceAccount>;

/** A service account's key file as Google's consoles make them; undefined for anything else. */
export function readServiceAccount(file: string): ServiceAccount | undefined {
  try {
    return serviceAccount.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
