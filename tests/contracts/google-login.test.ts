import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { chooseGoogleCredential, GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import { useCleanups } from "../cleanups";
import { temporaryFolder } from "../databases";
import { SPREADSHEETS } from "../factories/google-workspace";
import { TOKENS } from "../fakes/google-oauth";
import { startWorkspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";
import { COMPILE_CACHE } from "../server-process";

const later = useCleanups();

/** The command as an operator runs it, at the Google of this test. */
async function rig() {
  const google = await startWorkspace();
  later(google.close);
  const folder = temporaryFolder();
  later(() => rmSync(folder, { recursive: true }));
  const browser = join(folder, "browser.sh");
  const agrees = join(process.cwd(), "tests/fakes/browser.mjs");
  writeFileSync(browser, `#!/bin/sh\nNODE_USE_ENV_PROXY=1 exec "${process.execPath}" "${agrees}" "$1"\n`);
  chmodSync(browser, 0o700);
  const file = join(folder, "google-token.json");
  const settings = { folder, credentials: undefined, gmailUser: undefined, apiKey: undefined };
  return {
    google,
    folder,
    file,
    settings,
    run: (
      command: string,
      environment: Record<string, string> = {},
      paste?: (address: string) => Promise<string>,
    ) =>
      runCommand(command, paste, {
        PATH: process.env.PATH ?? "",
        NODE_COMPILE_CACHE: ".cache/compiled",
        DATA_DIR: folder,
        GOOGLE_OAUTH_CLIENT: google.oauthClient,
        GOOGLE_PROXY: google.proxy,
        BROWSER: browser,
        // local-auth knows Node's own variables alone.
        HTTPS_PROXY: google.proxy,
        NO_PROXY: "localhost",
        NODE_EXTRA_CA_CERTS: google.certFile,
        ...environment,
      }),
    /** Where the operator's browser ends: it agrees, and nobody answers there. */
    agree: async (address: string) => google.visit(new URL(address)),
  };
}

async function runCommand(
  command: string,
  paste: ((address: string) => Promise<string>) | undefined,
  env: Record<string, string>,
) {
  const child = spawn("node_modules/.bin/node", ["scripts/google.ts", ...command.split(" ")], {
    env: { NODE_ENV: "production", ...COMPILE_CACHE, ...env },
  });
  const said: string[] = [];
  child.stdout.on("data", async (chunk: Buffer) => {
    said.push(chunk.toString());
    const address = /^https:\/\/accounts\.google\.com\S+/m.exec(chunk.toString())?.[0];
    if (address && paste) child.stdin.end(`${await paste(address)}\n`);
  });
  const errors = text(child.stderr);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said: said.join(""), errors: await errors };
}

describe("npm run google", () => {
  it("logs in by the browser of this machine, and keeps the login for its owner alone", async () => {
    const { run, google, folder, file, settings } = await rig();
    const { code, said, errors } = await run("login sheets gmail");
    expect([code, errors]).toEqual([0, ""]);
    expect(said).toContain(`Logged in for sheets and gmail. Kept in ${file}.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes("token"))).toEqual(["google-token.json"]);
    for (const use of ["sheets", "gmail"] as const) {
      expect(chooseGoogleCredential(settings, use)).toMatchObject({
        ok: true,
        credential: { kind: "login", refreshToken: [...google.refreshTokens.keys()][0] },
      });
    }
  });

  it("logs in by an address where there is no browser, for what the environment uses alone", async () => {
    const { run, google, file, agree } = await rig();
    const ids = Object.values(SPREADSHEETS).map(({ id, variable }) => [variable, id]);
    const { code, errors } = await run("login --print", Object.fromEntries(ids), agree);
    expect([code, errors]).toEqual([0, ""]);
    const kept = JSON.parse(readFileSync(file, "utf8")) as { scope: string; refresh_token: string };
    expect(kept.scope).toBe(GOOGLE_SCOPES.sheets);
    expect(google.refreshTokens.has(kept.refresh_token)).toBe(true);
    // No way to Google but the one that is set up.
    expect(google.requests.filter((each) => each.includes(TOKENS))).toEqual([`POST ${TOKENS}/token`]);
  });

  it.each<[string, (agreed: string) => string, string]>([
    [
      "the address of another login",
      (agreed) => agreed.replace(/state=[^&]+/, "state=other"),
      "not the address it went to",
    ],
    ["something else", () => "yes", "not the address it went to"],
    ["a code that is over", (agreed) => agreed.replace(/code=[^&]+/, "code=over"), "invalid_grant"],
  ])("keeps nothing after %s", async (_, change, reason) => {
    const { run, agree, settings } = await rig();
    const paste = async (address: string) => change(await agree(address));
    const { code, errors } = await run("login sheets --print", {}, paste);
    expect([code, errors]).toEqual([1, expect.stringContaining(reason)]);
    expect(chooseGoogleCredential(settings, "sheets")).toMatchObject({ ok: false });
  });

  it("keeps nothing when the person declines, or leaves the box deselected", async () => {
    const { run, google, agree, settings } = await rig();
    google.state.consents = () => undefined;
    expect(await run("login gmail")).toMatchObject({
      code: 1,
      errors: expect.stringContaining("access_denied"),
    });
    google.state.consents = (scopes) => scopes.slice(0, 1);
    const { code, errors } = await run("login sheets gmail --print", {}, agree);
    expect([code, errors]).toEqual([1, expect.stringContaining("The box for gmail was not checked.")]);
    expect(chooseGoogleCredential(settings, "gmail")).toMatchObject({ ok: false });
  });

  it("says what is missing to log in", async () => {
    const { run, google } = await rig();
    for (const [command, environment, sentence] of [
      ["login", {}, "Say what for: login sheets, login gmail, or both."],
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

  it("tells who the server is to Google, and what is wrong with each spreadsheet", async () => {
    const { run, google } = await rig();
    const { "early-access": first, "contact-form": second, "updates-signup": third } = SPREADSHEETS;
    google.spreadsheet(first.id, [new Tab()]);
    google.spreadsheet(second.id, [new Tab()], { editors: [] });
    google.spreadsheet(third.id, [new Tab()]);
    const ids = Object.fromEntries(Object.values(SPREADSHEETS).map(({ id, variable }) => [variable, id]));
    const asRobot = {
      ...ids,
      GOOGLE_APPLICATION_CREDENTIALS: google.credentials,
      GMAIL_USER: "team@example.test",
    };
    const { code, said } = await run("status", asRobot);
    expect(code).toBe(1);
    expect(said.split("\n")).toEqual([
      `Spreadsheets: as the service account ${google.robot}.`,
      "  SHEET_EARLY_ACCESS_ID: can be read",
      `  SHEET_CONTACT_ID: The spreadsheet of SHEET_CONTACT_ID is not shared with ${google.robot}. Share it with that account as an editor.`,
      "  SHEET_UPDATES_ID: can be read",
      `Gmail: as the service account ${google.robot} for team@example.test.`,
      expect.stringContaining("team@example.test (GMAIL_USER) is no user of the Workspace"),
      "",
    ]);
    google.delegations.set("team@example.test", [GOOGLE_SCOPES.gmail]);
    google.spreadsheet(second.id, [new Tab()]);
    expect(await run("status", asRobot)).toMatchObject({
      code: 0,
      said: expect.stringContaining("Google gives the right to send."),
    });
  });

  it("logs out: the login holds no longer, and its file is gone", async () => {
    const { run, google, file, settings } = await rig();
    await run("login sheets");
    google.setResponse(TOKENS, { status: 503 });
    expect(await run("logout")).toMatchObject({ code: 1, errors: expect.stringContaining("still holds") });
    expect(statSync(file).isFile()).toBe(true);
    google.setResponse(TOKENS, undefined);
    expect(await run("logout")).toMatchObject({ code: 0 });
    expect(google.refreshTokens.size).toBe(0);
    expect(chooseGoogleCredential(settings, "sheets")).toMatchObject({ ok: false });
  });
});

describe("who the server is to Google", () => {
  const scopes = (names: readonly (keyof typeof GOOGLE_SCOPES)[]) =>
    names.map((name) => GOOGLE_SCOPES[name]).join(" ");
  const loggedIn = (file: string, scope: string, mode = 0o600) => {
    const kept = { client_id: "c", client_secret: "s", refresh_token: "r", scope };
    writeFileSync(file, JSON.stringify(kept), { mode });
    chmodSync(file, mode);
  };

  it("is whoever logged in, before the service account, before the API key", async () => {
    const { google, file, settings } = await rig();
    const all = { ...settings, credentials: google.credentials, apiKey: google.apiKey };
    const kindFor = (use: "sheets" | "gmail" | "read", given = all) => {
      const chosen = chooseGoogleCredential(given, use);
      return chosen.ok ? chosen.credential.kind : chosen.problem;
    };
    expect(kindFor("sheets")).toBe("service-account");
    expect(kindFor("gmail")).toContain("Run npm run google -- login gmail");
    expect(kindFor("gmail", { ...all, gmailUser: "team@example.test" } as never)).toBe("service-account");
    expect(kindFor("read", { ...all, credentials: undefined } as never)).toBe("api-key");
    expect(kindFor("sheets", { ...all, credentials: undefined } as never)).toContain(
      "GOOGLE_API_KEY can only read",
    );
    expect(kindFor("sheets", settings as never)).toContain("Run npm run google -- login sheets");
    expect(kindFor("sheets", { ...all, credentials: file } as never)).toContain(
      "is no service account's key file",
    );
    loggedIn(file, scopes(["sheets", "gmail"]));
    expect([kindFor("sheets"), kindFor("gmail"), kindFor("read")]).toEqual(["login", "login", "login"]);
    loggedIn(file, scopes(["sheets"]));
    expect(kindFor("gmail")).toContain("has no right to sending mail. Run npm run google -- login gmail");
  });

  it("is nobody by a login that others can read, or that is none", async () => {
    const { file, settings } = await rig();
    loggedIn(file, scopes(["sheets"]), 0o640);
    expect(chooseGoogleCredential(settings, "sheets")).toEqual({
      ok: false,
      problem: `${file} can be read by others (mode 640). Run chmod 600 ${file}, or log in again.`,
    });
    writeFileSync(file, "{}");
    chmodSync(file, 0o600);
    expect(chooseGoogleCredential(settings, "sheets")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("is not what"),
    });
  });
});
