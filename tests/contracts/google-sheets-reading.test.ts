import { describe, expect, it } from "vitest";
import { UpstreamError } from "~/lib/upstream-error";
import { SheetAccountSource } from "~/services/accounts/drivers/sheet-account-source.server";
import { readSheet, Spreadsheet } from "~/services/google/drivers/spreadsheet.server";
import { removeAfterTest } from "../fixture";
import { openTestAccount, createCredential, SPREADSHEETS } from "../factories/google-workspace";
import { KIND, startSheetsMirror } from "../factories/google-sheets";
import { createTestClock } from "../factories/time";
import { SHEETS, startWorkspace, type Workspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";

describe("a call to a spreadsheet", () => {
  it("ends when its own time is over, whatever Google does", async () => {
    const { google, account, clock, mirror } = await startSheetsMirror();
    // With an access token, so that the time is over in the call itself.
    await mirror.read(KIND, 1);
    const { id, variable } = SPREADSHEETS[KIND];
    const spreadsheet = new Spreadsheet({ account, id, variable, clock });
    google.failNext("read", "silent");
    const error: unknown = await spreadsheet
      .read("sheet1!A1:E1", AbortSignal.timeout(100))
      .catch((error) => error);
    expect(spreadsheet.toFailure(error)).toEqual({ kind: "unknown", detail: "Google took too long" });
  });
});

describe("a sheet that is read alone", () => {
  async function reader(
    credentialFor: typeof createCredential.login,
    sharing?: Parameters<Workspace["spreadsheet"]>[2],
    tab = new Tab({ cells: [["Email"], ["a@b.test"]] }),
  ) {
    const google = removeAfterTest(await startWorkspace());
    const account = removeAfterTest(openTestAccount(google, credentialFor(google), "sheets"));
    const of = { account, id: SPREADSHEETS[KIND].id, variable: "ACCOUNT_SHEET_ID", clock: createTestClock() };
    google.spreadsheet(of.id, [tab], sharing);
    return { google, of };
  }

  it("is read with an API key when its link is open to everybody", async () => {
    const { google, of } = await reader(createCredential["api-key"], { editors: [], isPublic: true });
    expect(await readSheet(of, "sheet1!A1:E")).toEqual({ ok: true, rows: [["Email"], ["a@b.test"]] });
    expect(google.requests.join()).not.toContain(google.apiKey);
  });

  it("is not with one when it is not, and says so", async () => {
    const { of } = await reader(createCredential["api-key"]);
    const words = "is not shared with everybody who has the link, which GOOGLE_API_KEY needs";
    const problem = expect.stringContaining(words);
    expect(await readSheet(of, "sheet1!A1:E")).toMatchObject({ ok: false, isPassing: false, problem });
  });

  it("says of a wrong key that it is wrong, and of a 503 that it passes", async () => {
    const { google, of } = await reader(() => ({ kind: "api-key", key: "wrong" }), { isPublic: true });
    const problem = expect.stringContaining("Google rejected GOOGLE_API_KEY");
    expect(await readSheet(of, "sheet1!A1:E")).toMatchObject({ ok: false, isPassing: false, problem });
    google.setResponse(SHEETS, { status: 503 });
    expect(await readSheet(of, "sheet1!A1:E")).toMatchObject({ ok: false, isPassing: true });
  });

  it("lists accounts to import, from below its header", async () => {
    const cells = [
      ["Email", "Name", "Role"],
      ["ada@b.test", "Ada Byron", "admin"],
      ["", "", ""],
      ["eve@b.test"],
    ];
    const { google, of } = await reader(createCredential["api-key"], { isPublic: true }, new Tab({ cells }));
    const source = new SheetAccountSource((range) => readSheet(of, range));
    expect(await source.list()).toEqual([
      { email: "ada@b.test", fullName: "Ada Byron", role: "admin" },
      { email: "eve@b.test", fullName: "", role: "" },
    ]);
    google.setResponse(SHEETS, { status: 503 });
    await expect(source.list()).rejects.toThrow(UpstreamError);
  });
});
