import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { getDailyEmailLimit } from "~/services/composition/sending.server";
import { GOOGLE_SCOPES } from "~/services/google/google-credential.server";
import { removeAfterTest, useFixture } from "../fixture";
import { SPREADSHEETS } from "../factories/google-workspace";
import { gmailError } from "../fakes/google-errors";
import { GMAIL, startWorkspace } from "../fakes/google-workspace";
import { formPost, logIn, startServer } from "../server-process";
import { temporaryFolder } from "../temporary-folder";
import { getRedirect } from "./operators";
import { PANEL_FIELDS } from "./outreach-screens";
import { readText } from "./session";

const LISTED = { NODE_OPTIONS: `--import=${pathToFileURL("tests/fakes/list-loaded.mjs").href}` };
const SENDER = "team@example.test";

const google = useFixture(startWorkspace);
beforeAll(() => {
  google.delegations.set(SENDER, [GOOGLE_SCOPES.gmail]);
});

const gmail = () => ({
  MAIL_DRIVER: "gmail",
  GMAIL_USER: SENDER,
  GOOGLE_APPLICATION_CREDENTIALS: google.credentials,
  // Node's own variable: certificates it trusts beside the public authorities.
  GOOGLE_PROXY: google.proxy,
  NODE_EXTRA_CA_CERTS: google.certFile,
});
const read = (settings: Record<string, string>) => readEnvironment({ NODE_ENV: "production", ...settings });
const loadedBy = (output: string) => /loaded of Google: (.*)/.exec(output)?.[1];

describe("MAIL_DRIVER=gmail", () => {
  it("sends from the mailbox of GMAIL_USER, and shows the operator what Google says", async () => {
    const server = removeAfterTest(await startServer({ ...LISTED, ...gmail() }));
    const Cookie = await logIn(server);
    const email = { ...PANEL_FIELDS, intent: "test", testAddress: "ada@example.test" };
    const send = () => server.fetch("/admin/dashboard", formPost(email, { Cookie }));
    const sent = await send();
    expect(getRedirect(sent)).toEqual([303, expect.stringContaining("test-sent")]);
    expect(google.emails).toMatchObject([
      { who: SENDER, raw: expect.stringContaining("To: ada@example.test") },
    ]);
    google.failNext("send", gmailError(403, "accessNotConfigured", "Gmail API has not been used"));
    expect(await readText(send(), 502)).toContain(
      "The Gmail API is not enabled in the project: enable it in Google Cloud",
    );
    expect(server.output()).toContain("Error sending test email: The Gmail API is not enabled");
    expect(google.requests.filter((each) => each.includes(GMAIL))).toHaveLength(2);
    expect(await server.stop()).toBe(0);
    expect(loadedBy(server.output())).toBe('["google-auth-library","googleapis/build/src/apis/gmail"]');
    expect(server.output()).not.toMatch(/ya29\.|PRIVATE KEY/);
  });

  // C22
  it("loads nothing of Google for another driver, whatever else is set", async () => {
    const server = removeAfterTest(await startServer({ ...LISTED, ...gmail(), MAIL_DRIVER: "outbox" }));
    await server.fetch("/");
    expect(await server.stop()).toBe(0);
    expect(loadedBy(server.output())).toBe("[]");
  });

  it("sends at most 500 emails a day by default", () => {
    const limit = (more: Record<string, string>) => getDailyEmailLimit(read({ ...gmail(), ...more }));
    expect(limit({})).toBe(500);
    expect(limit({ MAIL_PER_DAY: "2000" })).toBe(2000);
    expect(limit({ MAIL_PER_DAY: "0" })).toBe(0);
    expect(limit({ MAIL_DRIVER: "outbox" })).toBe(0);
  });
});

describe("an incomplete configuration of Google stops the start", () => {
  const contact = { SHEET_CONTACT_ID: SPREADSHEETS["contact-form"].id };
  const ownSpreadsheet = "is needed: each form needs its own spreadsheet";
  it.each<[string, Record<string, string>]>([
    ["GOOGLE_APPLICATION_CREDENTIALS: is needed with GMAIL_USER", { GMAIL_USER: SENDER }],
    [`SHEET_UPDATES_ID: ${ownSpreadsheet}`, contact],
    [`SHEET_CONTACT_ID: ${ownSpreadsheet}`, { SUBMISSION_MIRROR: "google-sheets" }],
    [
      "SHEET_CONTACT_ID: must be a spreadsheet id: the part between /d/ and /edit in its address",
      { SHEET_CONTACT_ID: "Contacts" },
    ],
    ["GOOGLE_API_KEY: must be an API key", { GOOGLE_API_KEY: "secret" }],
    ["GOOGLE_PROXY: must look like http://", { GOOGLE_PROXY: "https://proxy.example.com" }],
  ])("with %j", (sentence, environment) => {
    expect(() => read(environment)).toThrow(EnvironmentError);
    expect(() => read(environment)).toThrow(sentence);
  });

  it("except that a spreadsheet's address stands for its id", () => {
    const of = (id: string) => `https://docs.google.com/spreadsheets/d/${id}/edit?gid=0#gid=0`;
    const settings = Object.fromEntries(
      Object.values(SPREADSHEETS).map(({ id, variable }) => [variable, of(id)]),
    );
    expect(read(settings)).toMatchObject(contact);
  });

  it("without a login, and with one that others can read", async () => {
    const folder = temporaryFolder();
    const start = () => startServer({ MAIL_DRIVER: "gmail", DATA_DIR: folder });
    await expect(start()).rejects.toThrow(
      "The environment is not usable:\n  MAIL_DRIVER=gmail needs a Google account. Run npm run google -- login gmail, or set GMAIL_USER and GOOGLE_APPLICATION_CREDENTIALS.",
    );
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "google-token.json");
    writeFileSync(file, "{}");
    chmodSync(file, 0o644);
    await expect(start()).rejects.toThrow(`${file} can be read by others (mode 644). Run chmod 600`);
    rmSync(folder, { recursive: true });
  });
});
