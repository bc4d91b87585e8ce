import { authenticate } from "@google-cloud/local-auth";
import { CodeChallengeMethod, OAuth2Client } from "google-auth-library";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import { readJsonFile, type StoredLogin } from "../google-credential.server";
import type { GoogleTransport } from "./google-transport.server";

/** JSON of an OAuth client for desktop apps; only those get a refresh token at every login. */
const desktopClient = z.object({
  installed: z.object({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    redirect_uris: z.array(z.url({ protocol: /^http$/, hostname: /^localhost$/ })).min(1),
  }),
});
type DesktopClient = z.infer<typeof desktopClient>["installed"];

const granted = z.object({ refresh_token: z.string().min(1), scope: z.string() });

/** Reads the JSON of a desktop client, from a .json file only: local-auth would execute another as a program. */
export function readDesktopClient(file: string): DesktopClient | undefined {
  return file.endsWith(".json") ? readJsonFile(file, desktopClient)?.installed : undefined;
}

/**
 * Opens a browser on this machine and resolves when the user has agreed. Uses its own connection to Google, not
 * our transport: through HTTPS_PROXY, if set.
 * @throws Error with Google's message, such as access_denied.
 */
export async function logInByBrowser(file: string, client: DesktopClient, scopes: readonly string[]) {
  const { credentials } = await authenticate({ keyfilePath: resolve(file), scopes: [...scopes] });
  return toLogin(client, credentials);
}

/**
 * Logs in on a machine without a browser. `ask` shows an address to a person, whose browser is then redirected
 * to a localhost address that no server answers, and returns that address. Bound to this login by `state` and
 * PKCE (RFC 7636).
 * @throws Error with Google's message, or when it is the address of another login.
 */
export async function logInByAddress(
  client: DesktopClient,
  scopes: readonly string[],
  deps: { transport: GoogleTransport; ask: (address: string) => Promise<string> },
): Promise<StoredLogin | undefined> {
  const { client_id: clientId, client_secret: clientSecret, redirect_uris } = client;
  const oauth = new OAuth2Client({
    clientId,
    clientSecret,
    redirectUri: redirect_uris[0],
    transporterOptions: { fetchImplementation: deps.transport.fetch },
  });
  const state = randomUUID();
  const { codeVerifier, codeChallenge } = await oauth.generateCodeVerifierAsync();
  const address = oauth.generateAuthUrl({
    access_type: "offline",
    scope: [...scopes],
    state,
    code_challenge: codeChallenge,
    code_challenge_method: CodeChallengeMethod.S256,
  });
  const answer = (await deps.ask(address)).trim();
  const params = URL.canParse(answer) ? new URL(answer).searchParams : new URLSearchParams();
  const code = params.get("code");
  const problem = params.get("error");
  if (problem !== null) throw new Error(problem);
  if (code === null || params.get("state") !== state)
    throw new Error("this is not the address that the browser ended on");
  const { tokens } = await oauth.getToken({ code, codeVerifier });
  return toLogin(client, tokens);
}

/** Revokes a login at Google, for every program that uses it. A login that is already invalid counts as revoked. */
export async function revokeLogin(refreshToken: string, { fetch }: GoogleTransport): Promise<boolean> {
  const address = new OAuth2Client().getRevokeTokenURL(refreshToken);
  const { ok, status } = await fetch(address, { method: "POST" });
  return ok || status === 400;
}

/** Returns undefined without a refresh token, which only desktop clients get at every login. */
function toLogin({ client_id, client_secret }: DesktopClient, tokens: unknown): StoredLogin | undefined {
  const { data } = granted.safeParse(tokens);
  return data && { client_id, client_secret, ...data };
}
