import { describe, expect, it } from "vitest";
import { GOOGLE_SCOPES, type GoogleCredential } from "~/services/google/google-credential.server";
import { readSheet } from "~/services/google/drivers/spreadsheet.server";
import { createCredential, SPREADSHEETS } from "../factories/google-workspace";
import { KIND, people, startSheetsMirror } from "../factories/google-sheets";
import { SHEETS, type Workspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";

describe("a problem that a person has to fix is explained in a sentence", () => {
  const id = SPREADSHEETS[KIND].id;
  const { "service-account": robot, login } = createCredential;

  it.each<[string, (google: Workspace) => void, string, ((google: Workspace) => GoogleCredential)?]>([
    [
      "not shared with the service account",
      (google) => google.spreadsheet(id, [new Tab()], { editors: [] }),
      "The spreadsheet of SHEET_EARLY_ACCESS_ID is not shared with mirror@frontdesk-test.iam.gserviceaccount.com. Share it with that account as an editor.",
    ],
    [
      "not shared with who logged in",
      (google) => google.spreadsheet(id, [new Tab()], { editors: [] }),
      "is not shared with the account that logged in",
      login,
    ],
    [
      "shared for reading only",
      (google) => google.spreadsheet(id, [new Tab()], { editors: [], isPublic: true }),
      "Share it with that account as an editor.",
    ],
    ["no sheet1", (google) => google.spreadsheet(id, [new Tab({ title: "Tabelle1" })]), "(it has Tabelle1)"],
    [
      "a person in row 1",
      (google) => google.spreadsheet(id, [new Tab({ cells: [["Ada", "ada@example.test"]] })]),
      "Row 1 of the spreadsheet of SHEET_EARLY_ACCESS_ID must be the header, but it contains ada@example.test. Insert an empty row above it.",
    ],
    [
      "no room for more rows",
      (google) => google.spreadsheet(id, [new Tab({ rows: 2_000_001, columns: 4 })]),
      "has no room for more rows",
    ],
    [
      "the API not enabled",
      (google) => google.state.enabled.delete(SHEETS),
      "The Google Sheets API is not enabled in the project 123456789012: enable it",
    ],
    [
      "a login that was revoked",
      (google) => google.refreshTokens.clear(),
      "Google no longer accepts the login. Run npm run google -- login and restart the server. Google says: invalid_grant: Token has been expired or revoked.",
      login,
    ],
    [
      "a login without the right to spreadsheets",
      () => undefined,
      "Google did not grant permission to use spreadsheets. Run npm run google -- login sheets, leave its box checked",
      (google) => login(google, [GOOGLE_SCOPES.gmail]),
    ],
    // R18
    [
      "a wrong clock",
      (google) => (google.state.aheadMs = 3_600_000),
      "Google does not accept the time in our request: set the clock of this machine.",
    ],
    [
      "a deleted service account",
      () => undefined,
      "Google does not accept the key of gone@frontdesk-test.iam.gserviceaccount.com. Create a new key",
      (google) => ({ ...robot(google), address: "gone@frontdesk-test.iam.gserviceaccount.com" }) as never,
    ],
    [
      "a deleted OAuth client",
      () => undefined,
      "Google no longer knows the OAuth client.",
      (google) => ({ ...login(google), clientSecret: "other" }) as never,
    ],
  ])("%s", async (_, arrange, sentence, credentialFor) => {
    const { mirror, google } = await startSheetsMirror({ credentialFor });
    arrange(google);
    const outcome = await mirror.write(KIND, 1, people(1));
    expect(outcome).toMatchObject({ kind: "misconfigured", detail: expect.stringContaining(sentence) });
    expect("detail" in outcome && outcome.detail).not.toMatch(/\n|ya29\.|1\/\/|GOCSPX|PRIVATE KEY/);
  });

  it("no spreadsheet of that id", async () => {
    const { account, clock } = await startSheetsMirror();
    const of = { account, id: "no-such-spreadsheet-1234", variable: "SHEET_CONTACT_ID", clock };
    const problem =
      "There is no spreadsheet no-such-spreadsheet-1234: SHEET_CONTACT_ID is the part between /d/ and /edit in its address.";
    expect(await readSheet(of, "sheet1!A1:E")).toEqual({ ok: false, isPassing: false, problem });
  });
});
