import { createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { googleProblems } from "./google-problems";
import { writeFileAtomically } from "~/lib/durable-file.server";

/** OAuth scopes by use; no others are ever requested. */
export const GOOGLE_SCOPES = {
  sheets: "https://www.googleapis.com/auth/spreadsheets",
  gmail: "https://www.googleapis.com/auth/gmail.send",
} as const;
export type GoogleUse = keyof typeof GOOGLE_SCOPES;

export type GoogleCredential =
  | {
      readonly kind: "login";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: "service-account";
      readonly address: string;
      readonly privateKey: string;
      /** User it impersonates, by domain-wide delegation. */
      readonly subject: string | undefined;
    }
  | { readonly kind: "api-key"; readonly key: string };

interface GoogleSettings {
  /** DATA_DIR, where the login is stored. */
  readonly folder: string;
  /** GOOGLE_APPLICATION_CREDENTIALS */
  readonly credentials: string | undefined;
  /** GMAIL_USER */
  readonly gmailUser: string | undefined;
  /** GOOGLE_API_KEY */
  readonly apiKey: string | undefined;
}

type ChosenCredential =
  | { readonly ok: true; readonly credential: GoogleCredential }
  | { readonly ok: false; readonly problem: string };

/**
 * Chooses the credential for calls to Google; the only place that does:
 * - For email: with GMAIL_USER the service account impersonating that user, otherwise the login.
 * - For sheets: the login; without one, the service account; for reading only also the API key.
 *
 * @param use `read` is for reading a sheet only.
 */
export function chooseGoogleCredential(settings: GoogleSettings, use: GoogleUse | "read"): ChosenCredential {
  const { folder, credentials, gmailUser, apiKey } = settings;
  const scope = GOOGLE_SCOPES[use === "read" ? "sheets" : use];
  const messages = googleProblems.credential;
  if (use === "gmail" && gmailUser !== undefined) return toServiceAccountCredential(credentials, gmailUser);

  const login = readLogin(folder);
  if (login.kind === "unsafe") return { ok: false, problem: messages.unsafe(login.file, login.mode) };
  if (login.kind === "unreadable") return { ok: false, problem: messages.unreadable(login.file) };
  if (login.kind === "login") {
    if (login.scopes.includes(scope)) return { ok: true, credential: login };
    return { ok: false, problem: messages.scopeMissing(use === "gmail" ? "gmail" : "sheets") };
  }
  if (use === "gmail") return { ok: false, problem: messages.noneForEmail };
  if (credentials !== undefined) return toServiceAccountCredential(credentials, undefined);
  if (apiKey === undefined) return { ok: false, problem: messages.noneForSheets };
  if (use !== "read") return { ok: false, problem: messages.keyReadsOnly };
  return { ok: true, credential: { kind: "api-key", key: apiKey } };
}

function toServiceAccountCredential(file: string | undefined, subject: string | undefined): ChosenCredential {
  const account = file === undefined ? undefined : readServiceAccount(file);
  if (!account) return { ok: false, problem: googleProblems.credential.noServiceAccount(file ?? "") };
  const { client_email: address, private_key: privateKey } = account;
  return { ok: true, credential: { kind: "service-account", address, privateKey, subject } };
}

/** File written by `npm run google -- login`. It contains the client too, so that the server needs nothing else. */
const storedLogin = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
  scope: z.string(),
});
export type StoredLogin = z.infer<typeof storedLogin>;

const getLoginFile = (folder: string): string => join(folder, "google-token.json");

/** Reads the stored login. Rejects a file that others can read: it allows sending in the operator's name. */
export function readLogin(folder: string) {
  const file = getLoginFile(folder);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return { kind: "none" } as const;
  if (found.mode & 0o077) return { kind: "unsafe", file, mode: (found.mode & 0o777).toString(8) } as const;
  const login = readJsonFile(file, storedLogin);
  if (!login) return { kind: "unreadable", file } as const;
  return {
    kind: "login",
    clientId: login.client_id,
    clientSecret: login.client_secret,
    refreshToken: login.refresh_token,
    scopes: login.scope.split(" "),
  } as const;
}

/** Stores a login, with access for its owner only. */
export async function saveLogin(folder: string, login: StoredLogin): Promise<string> {
  const file = getLoginFile(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, `${JSON.stringify(login, undefined, 2)}\n`);
  return file;
}

export const deleteLogin = (folder: string): Promise<void> => rm(getLoginFile(folder), { force: true });

const serviceAccount = z.object({
  type: z.literal("service_account"),
  project_id: z.string().min(1),
  client_email: z.email(),
  private_key: z.string().refine(isPrivateKey),
});

/** Reads a service account's key file as Google's consoles create it; undefined for anything else. */
export function readServiceAccount(file: string): z.infer<typeof serviceAccount> | undefined {
  return readJsonFile(file, serviceAccount);
}

/** Reads a JSON file; undefined when it is missing, is no JSON or does not match the schema. */
export function readJsonFile<Content>(file: string, schema: z.ZodType<Content>): Content | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
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
