import { createInterface } from "node:readline";
import { EnvironmentError } from "../app/env.server.ts";
import { getErrorMessage } from "../app/lib/error-message.ts";
import { createSettingsFolder, fail, readSettings } from "./command.ts";

/** Manages the server's Google account (docs/google.md). */
const { openGoogleAccount } = await import("../app/services/composition/google.server.ts");
const { deleteLogin, readLogin, saveLogin, GOOGLE_SCOPES } =
  await import("../app/services/google/google-credential.server.ts");
const { openGoogleTransport } = await import("../app/services/google/drivers/google-transport.server.ts");
const login = await import("../app/services/google/drivers/google-login.server.ts");
const { readSheet } = await import("../app/services/google/drivers/spreadsheet.server.ts");
const { toGoogleProblem } = await import("../app/services/google/google-answer.ts");
type Use = keyof typeof GOOGLE_SCOPES;

const USAGE = "Usage: npm run google -- login [sheets] [gmail] [--print] | status | logout";
const LOGIN_TIMEOUT_MS = 5 * 60_000;
const SHEETS = ["SHEET_EARLY_ACCESS_ID", "SHEET_CONTACT_ID", "SHEET_UPDATES_ID"] as const;

const environment = readSettings();
const folder = environment.DATA_DIR;
const transport = openGoogleTransport({ proxy: environment.GOOGLE_PROXY });
const [command, ...args] = process.argv.slice(2);
if (command === "login") await logIn(args);
else if (command === "status" && args.length === 0) await showStatus();
else if (command === "logout" && args.length === 0) await logOut();
else fail(USAGE);
transport.close();
process.exit();

async function logIn(args: readonly string[]): Promise<void> {
  const uses = parseUses(args.filter((arg) => arg !== "--print"));
  const scopes = uses.map((use) => GOOGLE_SCOPES[use]);
  const file =
    environment.GOOGLE_OAUTH_CLIENT ?? fail("GOOGLE_OAUTH_CLIENT: is needed to log in (docs/google.md)");
  const client =
    login.readDesktopClient(file) ??
    fail(`GOOGLE_OAUTH_CLIENT: ${file} is not the .json file of a desktop app's OAuth client`);
  // Before anybody agrees to a login that could not be stored.
  await createSettingsFolder(environment);
  const granted = await (args.includes("--print")
    ? byAddress(client, scopes)
    : byBrowser(file, client, scopes));
  if (!granted)
    fail("Google returned no refresh token. Does the client belong to a desktop app? Nothing was stored.");
  const missing = uses.filter((use) => !granted.scope.split(" ").includes(GOOGLE_SCOPES[use]));
  if (missing.length > 0) {
    fail(
      `The box for ${missing.join(" and ")} was not checked. Nothing was stored; log in again and check it.`,
    );
  }
  console.info(`Logged in for ${uses.join(" and ")}. Stored in ${await saveLogin(folder, granted)}.`);
  console.info("Restart the server if it is running.");
}

type Client = NonNullable<ReturnType<typeof login.readDesktopClient>>;

async function byBrowser(file: string, client: Client, scopes: readonly string[]) {
  console.info("Your browser opens. Without a browser, stop this and add --print.");
  const late = setTimeout(
    () => fail("Nobody agreed within five minutes. Nothing was stored."),
    LOGIN_TIMEOUT_MS,
  );
  const granted = await login.logInByBrowser(file, client, scopes).catch(refuse);
  clearTimeout(late);
  return granted;
}

function byAddress(client: Client, scopes: readonly string[]) {
  const ask = async (address: string) => {
    console.info(`Open this in a browser of any machine, log in and agree:\n\n${address}\n`);
    console.info(
      "At the end the browser shows a localhost address that does not open. Paste that address here:",
    );
    for await (const line of createInterface({ input: process.stdin })) return line;
    return "";
  };
  return login.logInByAddress(client, scopes, { transport, ask }).catch(refuse);
}

/** Returns the permissions to request: the named ones, or else those the environment uses. */
function parseUses(args: readonly string[]): Use[] {
  const all: Use[] = ["sheets", "gmail"];
  if (args.some((arg) => !all.some((use) => use === arg))) fail(USAGE);
  const used = {
    sheets: environment.SHEET_CONTACT_ID !== undefined,
    gmail: environment.MAIL_DRIVER === "gmail",
  };
  const uses = all.filter((use) => (args.length > 0 ? args.includes(use) : used[use]));
  return uses.length > 0
    ? uses
    : fail(`Say what the login is for: login sheets, login gmail, or both.\n${USAGE}`);
}

async function showStatus(): Promise<void> {
  const isGood = [await checkSheets(), await checkGmail()];
  if (isGood.includes(false)) process.exitCode = 1;
}

async function checkSheets(): Promise<boolean> {
  const account = await openAccount("sheets", "Spreadsheets");
  if (!account) return environment.SHEET_CONTACT_ID === undefined;
  let isGood = true;
  for (const variable of SHEETS) {
    const id = environment[variable];
    if (id === undefined) continue;
    const reading = await readSheet({ account, id, variable, clock: Date.now }, "sheet1!A1:E1");
    console.info(`  ${variable}: ${reading.ok ? "can be read" : reading.problem}`);
    isGood &&= reading.ok;
  }
  return isGood;
}

/** Checks Gmail by requesting a token only, because sending is the only permitted call there. */
async function checkGmail(): Promise<boolean> {
  const account = await openAccount("gmail", "Gmail");
  if (!account) return environment.MAIL_DRIVER !== "gmail";
  try {
    await account.client.getAccessToken();
    console.info("  Google allows sending.");
    return true;
  } catch (error) {
    const problem = toGoogleProblem(error, { credential: account.credential, use: "gmail" }, Date.now());
    console.info(`  ${problem.kind === "answer" ? problem.reply : problem.detail}`);
    return false;
  }
}

async function openAccount(use: Use, name: string) {
  try {
    const account = await openGoogleAccount(environment, use);
    const { credential } = account;
    const as = {
      login: "whoever logged in",
      "service-account": "the service account",
      "api-key": "the API key",
    };
    const { address = "", subject = "" } = credential.kind === "service-account" ? credential : {};
    const who = [as[credential.kind], address, subject && `for ${subject}`].filter(Boolean).join(" ");
    console.info(`${name}: as ${who}.`);
    return account;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    console.info(`${name}: ${error.message.split("\n").at(-1)?.trim()}`);
    return undefined;
  }
}

async function logOut(): Promise<void> {
  const stored = readLogin(folder);
  if (stored.kind === "none") fail("Nobody is logged in.");
  if (stored.kind !== "login")
    fail(
      `${stored.file} is not used: delete it, and end the login at https://myaccount.google.com/connections.`,
    );
  const isOver = await login.revokeLogin(stored.refreshToken, transport).catch(() => false);
  if (!isOver) fail("Google could not be reached, so the login is still valid. Try again.");
  await deleteLogin(folder);
  console.info("Logged out: the login was revoked and its file deleted.");
}

function refuse(error: unknown): never {
  fail(`The Google login failed: ${getErrorMessage(error)}. Nothing was stored.`);
}
