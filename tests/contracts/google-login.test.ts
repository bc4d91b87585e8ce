import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseGoogleCredential, GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import { removeAfterTest } from "../fixture";
import { SHEET_IDS, SPREADSHEETS } from "../factories/google-workspace";
import { TOKENS } from "../fakes/google-oauth";
import { startWorkspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";
import { COMPILE_CACHE } from "../server-process";
import { temporaryFolder } from "../temporary-folder";

type GoogleSettings = Parameters<typeof chooseGoogleCredential>[0];

/** Starts a Google, and returns the command as an operator runs it there. */
async function setUp() {
  const google = removeAfterTest(await startWorkspace());
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const browser = join(folder, "browser.sh");
  const script = join(process.cwd(), "tests/fakes/browser.mjs");
  writeFileSync(browser, `#!/bin/sh\nNODE_USE_ENV_PROXY=1 exec "${process.execPath}" "${script}" "$1"\n`);
  chmodSync(browser, 0o700);
  const file = join(folder, "google-token.json");
  const settings = { folder, credentials: undefined, gmailUser: undefined, apiKey: undefined };
  return {
    google,
    folder,
    file,
    settings,
    run: (command: string, environment: Record<string, string> = {}, paste?: Paste) =>
      runCommand(command, paste, {
        PATH: process.env.PATH ?? "",
        DATA_DIR: folder,
        GOOGLE_OAUTH_CLIENT: google.oauthClient,
        GOOGLE_PROXY: google.proxy,
        BROWSER: browser,
        // local-auth reads only Node's own variables.
        HTTPS_PROXY: google.proxy,
        NO_PROXY: "localhost",
        NODE_EXTRA_CA_CERTS: google.certFile,
        ...environment,
      }),
    /** Agrees as the operator's browser does, and returns the address it is redirected to. */
    agree: async (address: string) => google.visit(new URL(address)),
  };
}

/** Returns what the operator enters for the address that the command shows. */
type Paste = (address: string) => Promise<string>;

async function runCommand(command: string, paste: Paste | undefined, env: Record<string, string>) {
  const child = spawn("node_modules/.bin/node", ["scripts/google.ts", ...command.split(" ")], {
    env: { NODE_ENV: "production", ...COMPILE_CACHE, ...env },
  });
  const output: string[] = [];
  child.stdout.on("data", async (chunk: Buffer) => {
    output.push(chunk.toString());
    const address = /^https:\/\/accounts\.google\.com\S+/m.exec(chunk.toString())?.[0];
    if (address && paste) child.stdin.end(`${await paste(address)}\n`);
  });
  const errors = text(child.stderr);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output: output.join(""), errors: await errors };
}

describe("npm run google", () => {
  it("logs in by this machine's browser and stores the login", async () => {
    const { run, google, folder, file, settings } = await setUp();
    const { code, output, errors } = await run("login sheets gmail");
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toContain(`Logged in for sheets and gmail. Stored in ${file}.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes("token"))).toEqual(["google-token.json"]);
    for (const use of ["sheets", "gmail"] as const) {
      expect(chooseGoogleCredential(settings, use)).toMatchObject({
        ok: true,
        credential: { kind: "login", refreshToken: [...google.refreshTokens.keys()][0] },
      });
    }
  });

  it("logs in without a browser by an address, with the scopes the environment uses", async () => {
    const { run, google, file, agree } = await setUp();
    const { code, errors } = await run("login --print", SHEET_IDS, agree);
    expect([code, errors]).toEqual([0, ""]);
    const login = JSON.parse(readFileSync(file, "utf8")) as { scope: string; refresh_token: string };
    expect(login.scope).toBe(GOOGLE_SCOPES.sheets);
    expect(google.refreshTokens.has(login.refresh_token)).toBe(true);
    // The configured proxy is the only way to Google.
    expect(google.requests.filter((request) => request.includes(TOKENS))).toEqual([`POST ${TOKENS}/token`]);
  });

  const otherAddress = "not the address that the browser ended on";
  it.each<[string, (address: string) => string, string]>([
    ["another login's address", (address) => address.replace(/state=[^&]+/, "state=other"), otherAddress],
    ["no address", () => "yes", otherAddress],
    ["an expired code", (address) => address.replace(/code=[^&]+/, "code=over"), "invalid_grant"],
  ])("stores nothing after %s", async (_, change, reason) => {
    const { run, agree, settings } = await setUp();
    const paste = async (address: string) => change(await agree(address));
    const { code, errors } = await run("login sheets --print", {}, paste);
    expect([code, errors]).toEqual([1, expect.stringContaining(reason)]);
    expect(chooseGoogleCredential(settings, "sheets")).toMatchObject({ ok: false });
  });

  it("stores nothing when the operator declines or deselects a scope", async () => {
    const { run, google, agree, settings } = await setUp();
    google.state.consents = () => undefined;
    const declined = await run("login gmail");
    expect(declined).toMatchObject({ code: 1, errors: expect.stringContaining("access_denied") });
    google.state.consents = (scopes) => scopes.slice(0, 1);
    const { code, errors } = await run("login sheets gmail --print", {}, agree);
    expect([code, errors]).toEqual([1, expect.stringContaining("The box for gmail was not checked.")]);
    expect(chooseGoogleCredential(settings, "gmail")).toMatchObject({ ok: false });
  });

  it("reports what is missing for a login", async () => {
    const { run, google } = await setUp();
    for (const [command, environment, sentence] of [
      ["login", {}, "Say what the login is for: login sheets, login gmail, or both."],
      ["login docs", {}, "Usage: "],
      ["login sheets", { GOOGLE_OAUTH_CLIENT: "" }, "GOOGLE_OAUTH_CLIENT: is needed to log in"],
      [
        "login sheets",
        { GOOGLE_OAUTH_CLIENT: google.credentials },
        "is not the .json file of a desktop app's",
      ],
      ["status now", {}, "Usage: "],
      ["logout", {}, "Nobody is logged in."],
    ] as const) {
      const { code, errors } = await run(command, environment);
      expect([code, errors]).toEqual([1, expect.stringContaining(sentence)]);
    }
  });

  it("shows the account in use and the problem of each spreadsheet", async () => {
    const { run, google } = await setUp();
    const { "early-access": first, "contact-form": second, "updates-signup": third } = SPREADSHEETS;
    google.spreadsheet(first.id, [new Tab()]);
    google.spreadsheet(second.id, [new Tab()], { editors: [] });
    google.spreadsheet(third.id, [new Tab()]);
    const asRobot = {
      ...SHEET_IDS,
      GOOGLE_APPLICATION_CREDENTIALS: google.credentials,
      GMAIL_USER: "team@example.test",
    };
    const { code, output } = await run("status", asRobot);
    expect(code).toBe(1);
    expect(output.split("\n")).toEqual([
      `Spreadsheets: as the service account ${google.robot}.`,
      "  SHEET_EARLY_ACCESS_ID: can be read",
      `  SHEET_CONTACT_ID: The spreadsheet of SHEET_CONTACT_ID is not shared with ${google.robot}. Share it with that account as an editor.`,
      "  SHEET_UPDATES_ID: can be read",
      `Gmail: as the service account ${google.robot} for team@example.test.`,
      expect.stringContaining("team@example.test (GMAIL_USER) is not a user of the Workspace"),
      "",
    ]);
    google.delegations.set("team@example.test", [GOOGLE_SCOPES.gmail]);
    google.spreadsheet(second.id, [new Tab()]);
    const repaired = await run("status", asRobot);
    expect(repaired).toMatchObject({ code: 0, output: expect.stringContaining("Google allows sending.") });
  });

  it("revokes the login and removes its file at logout", async () => {
    const { run, google, file, settings } = await setUp();
    await run("login sheets");
    google.setResponse(TOKENS, { status: 503 });
    expect(await run("logout")).toMatchObject({ code: 1, errors: expect.stringContaining("still valid") });
    expect(statSync(file).isFile()).toBe(true);
    google.setResponse(TOKENS, undefined);
    expect(await run("logout")).toMatchObject({ code: 0 });
    expect(google.refreshTokens.size).toBe(0);
    expect(chooseGoogleCredential(settings, "sheets")).toMatchObject({ ok: false });
  });
});

describe("the credential for Google", () => {
  const scopes = (names: readonly (keyof typeof GOOGLE_SCOPES)[]) =>
    names.map((name) => GOOGLE_SCOPES[name]).join(" ");
  const writeLogin = (file: string, scope: string, mode = 0o600) => {
    const login = { client_id: "c", client_secret: "s", refresh_token: "r", scope };
    writeFileSync(file, JSON.stringify(login), { mode });
    chmodSync(file, mode);
  };

  it("is the login, then the service account, then the API key", async () => {
    const { google, file, settings } = await setUp();
    const all = { ...settings, credentials: google.credentials, apiKey: google.apiKey };
    const getKind = (use: "sheets" | "gmail" | "read", granted: GoogleSettings = all) => {
      const chosen = chooseGoogleCredential(granted, use);
      return chosen.ok ? chosen.credential.kind : chosen.problem;
    };
    expect(getKind("sheets")).toBe("service-account");
    expect(getKind("gmail")).toContain("Run npm run google -- login gmail");
    expect(getKind("gmail", { ...all, gmailUser: "team@example.test" })).toBe("service-account");
    expect(getKind("read", { ...all, credentials: undefined })).toBe("api-key");
    expect(getKind("sheets", { ...all, credentials: undefined })).toContain("GOOGLE_API_KEY can only read");
    expect(getKind("sheets", settings)).toContain("Run npm run google -- login sheets");
    expect(getKind("sheets", { ...all, credentials: file })).toContain("is not a service account key file");
    writeLogin(file, scopes(["sheets", "gmail"]));
    expect([getKind("sheets"), getKind("gmail"), getKind("read")]).toEqual(["login", "login", "login"]);
    writeLogin(file, scopes(["sheets"]));
    expect(getKind("gmail")).toContain("has no permission to send emails. Run npm run google -- login gmail");
  });

  it("is missing for a login that others can read or that is malformed", async () => {
    const { file, settings } = await setUp();
    writeLogin(file, scopes(["sheets"]), 0o640);
    expect(chooseGoogleCredential(settings, "sheets")).toEqual({
      ok: false,
      problem: `${file} can be read by others (mode 640). Run chmod 600 ${file}, or log in again.`,
    });
    writeFileSync(file, "{}");
    chmodSync(file, 0o600);
    expect(chooseGoogleCredential(settings, "sheets")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("cannot be read as a login"),
    });
  });
});
