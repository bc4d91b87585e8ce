import { describe, expect, it } from "vitest";
import type { MirrorOutcome } from "~/services/mirrors/submission-mirror";
import { getHeaders } from "~/services/submissions/submission-columns";
import { createCredential } from "../factories/google-workspace";
import { KIND, people, startSheetsMirror } from "../factories/google-sheets";
import { describeMirror } from "../factories/mirror-battery";
import { googleError } from "../fakes/google-errors";
import { TOKENS } from "../fakes/google-oauth";
import { type RequestFailure, SHEETS } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";
import { createSelfSigned } from "../fakes/self-signed";

const FAILURES = {
  "429": googleError(429, "RESOURCE_EXHAUSTED"),
  "500": googleError(500, "INTERNAL"),
  slow: { appliedThen: "silent" },
  "cut-after-apply": { appliedThen: "drop" },
} as const;
describeMirror("GoogleSheetsMirror", async () => {
  const { google, mirror, tabs } = await startSheetsMirror({ timeoutMs: 500 });
  return {
    mirror,
    rows: (kind) => tabs[kind].allRows.slice(1),
    failNext: (failure) => google.failNext("write", FAILURES[failure]),
    close: google.close,
  };
});

const HEADER = getHeaders(KIND);

describe("a mirror in Google Sheets", () => {
  it("writes the header where there is none, and never counts it", async () => {
    const { mirror, tabs, tab } = await startSheetsMirror();
    expect(await mirror.read(KIND, 1)).toEqual({ kind: "rows", rows: [] });
    expect(tab.allRows).toEqual([HEADER]);
    expect(await mirror.write(KIND, 1, people(2))).toEqual({ kind: "written" });
    expect(tab.allRows).toEqual([HEADER, ...people(2)]);
    const update = ["2026-11-22T08:00:00.000Z", "Ada", "ada@example.test"];
    await mirror.write("updates-signup", 1, [update]);
    expect(tabs["updates-signup"].allRows).toEqual([getHeaders("updates-signup"), update]);
    expect(await mirror.read(KIND, 2)).toEqual({ kind: "rows", rows: people(1, 2) });
  });

  it("leaves a header in other words as it is", async () => {
    const header = ["Nom", "Adresse", "Société", "Rôle", "Date"];
    const { mirror, tab } = await startSheetsMirror({ tab: new Tab({ title: "SHEET1", cells: [header] }) });
    await mirror.write(KIND, 1, people(1));
    expect(tab.allRows).toEqual([header, ...people(1)]);
  });

  // C21
  it("writes to fixed ranges, and keeps what looks like a formula as text", async () => {
    const { mirror, tab, writes } = await startSheetsMirror();
    const hostile = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"];
    await mirror.write(KIND, 3, [hostile, ...people(1)]);
    expect(writes().at(-1)).toContain("/values/'Sheet1'!A4:E5?valueInputOption=RAW");
    expect(tab.allRows).toEqual([HEADER, [], [], hostile, ...people(1)]);
    const empty = ["", "", "", "", ""];
    const rows = [empty, empty, hostile, ...people(1)];
    expect(await mirror.read(KIND, 1)).toEqual({ kind: "rows", rows });
  });

  it("adds rows and columns to a sheet that is too small, and changes no other cell", async () => {
    const beside = new Tab({ rows: 3, columns: 3, cells: [["", "", ""]] });
    const { mirror, tab } = await startSheetsMirror({ tab: beside });
    expect(await mirror.write(KIND, 1, people(500))).toEqual({ kind: "written" });
    expect(await mirror.write(KIND, 501, people(500, 501))).toEqual({ kind: "written" });
    expect(tab.allRows).toEqual([HEADER, ...people(1000)]);
    expect([tab.rows, tab.columns]).toEqual([1502, 5]);
  });

  it("reads the sheet's properties again after somebody deleted rows or renamed it", async () => {
    const { mirror, tab } = await startSheetsMirror();
    await mirror.write(KIND, 1, people(1));
    tab.truncate(2);
    expect(await mirror.write(KIND, 2, people(2, 2))).toEqual({ kind: "written" });
    tab.title = "sheet1";
    expect(await mirror.write(KIND, 4, people(1, 4))).toEqual({ kind: "written" });
    expect(tab.allRows).toEqual([HEADER, ...people(4)]);
  });

  // R11
  it("writes 10,000 rows in order through failures", async () => {
    const { mirror, tab, google } = await startSheetsMirror();
    const all = people(10_000);
    google.failNext("write", { status: 503, body: "Service Unavailable" });
    google.failNext("write", { appliedThen: "drop" });
    google.failNext("write", googleError(500, "INTERNAL"));
    for (let at = 1; at <= all.length;) {
      const { kind } = await mirror.write(KIND, at, all.slice(at - 1, at - 1 + mirror.batch));
      if (kind === "written") at += mirror.batch;
    }
    expect(tab.allRows).toEqual([HEADER, ...all]);
    expect(await mirror.read(KIND, 1)).toEqual({ kind: "rows", rows: all });
  });

  it("reads rows that are too many for one response in pieces", async () => {
    const rows = people(600).map(([, ...rest]) => ["x".repeat(20_000), ...rest]);
    const { mirror } = await startSheetsMirror({ tab: new Tab({ cells: [[...HEADER], ...rows] }) });
    const reading = await mirror.read(KIND, 1);
    expect(reading.kind === "rows" && reading.rows).toEqual(rows);
  });

  it("sends at most 2 MB per request", async () => {
    const { mirror, tab, writes } = await startSheetsMirror();
    const rows = people(500).map(([name = "", ...rest]) => [name.padEnd(20_000, "."), ...rest]);
    expect(await mirror.write(KIND, 1, rows)).toEqual({ kind: "written" });
    expect(tab.allRows).toEqual([HEADER, ...rows]);
    expect(writes()).toHaveLength(1 + 6);
  });

  it("reports a partly written batch as unknown", async () => {
    const { mirror, google } = await startSheetsMirror();
    await mirror.read(KIND, 1);
    google.failNext("write", { appliedThen: { status: 200, body: { updatedRange: "Sheet1!A2:E100" } } });
    google.failNext("write", googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded"));
    const rows = people(150).map(([name = "", ...rest]) => [name.padEnd(20_000, "."), ...rest]);
    expect(await mirror.write(KIND, 1, rows)).toMatchObject({
      kind: "unknown",
      detail: expect.stringMatching(/^Only the first of these rows .*Quota exceeded$/),
    });
    expect(await mirror.write(KIND, 1, rows)).toEqual({ kind: "written" });
  });

  it("limits its writes to below Google's 60 per minute over all three sheets", async () => {
    const { mirror, google, waits } = await startSheetsMirror();
    for (let at = 1; at <= 70; at += 1) {
      const kind = at % 2 ? KIND : "contact-form";
      expect(await mirror.write(kind, at, people(1, at))).toEqual({ kind: "written" });
    }
    expect(google.requests.filter((each) => each.startsWith("PUT "))).toHaveLength(72);
    expect(Math.max(...waits)).toBe(1200);
  });

  it("writes with a login too, with one access token for all sheets", async () => {
    const { mirror, tab, google } = await startSheetsMirror({ credentialFor: createCredential.login });
    await mirror.write(KIND, 1, people(1));
    await mirror.write("contact-form", 1, people(1));
    expect(tab.allRows).toEqual([HEADER, ...people(1)]);
    expect(google.requests.filter((each) => each.includes(TOKENS))).toEqual([`POST ${TOKENS}/token`]);
  });

  const quota = googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded", "RATE_LIMIT_EXCEEDED");
  const quotaWithTime = { ...quota, headers: { "Retry-After": "30" } };
  // R11, C22
  it.each<[string, RequestFailure, Partial<MirrorOutcome>]>([
    ["429", quota, { kind: "deferred", detail: "Quota exceeded" }],
    ["429 with a time", quotaWithTime, { kind: "deferred", retryAfterMs: 30_000 }],
    ["500", googleError(500, "INTERNAL", "Internal error"), { kind: "deferred", detail: "Internal error" }],
    [
      "a proxy's 502",
      { status: 502, body: "<html>" },
      { kind: "deferred", detail: "status 502 without a reason" },
    ],
    ["503", googleError(503, "UNAVAILABLE", "Busy"), { kind: "deferred", detail: "Busy" }],
    [
      "a redirect",
      { status: 302, headers: { Location: "http://169.254.169.254/" } },
      { kind: "misconfigured", detail: expect.stringContaining("GOOGLE_PROXY") },
    ],
    ["a cut before it was applied", "drop", { kind: "unknown" }],
    ["a cut after it was applied", { appliedThen: "drop" }, { kind: "unknown" }],
    ["silence", { appliedThen: "silent" }, { kind: "unknown", detail: "Google took too long" }],
    [
      "a page that is not Google's",
      { status: 200, body: "<html>Please log in</html>" },
      { kind: "unknown", detail: expect.stringContaining("not come from Google") },
    ],
    [
      "a cell that is too long",
      googleError(400, "INVALID_ARGUMENT", "more than the maximum of 50000 characters in a single cell."),
      { kind: "refused" },
    ],
  ])("maps %s to its outcome after one request", async (_, failure, outcome) => {
    const { mirror, google, tab, writes } = await startSheetsMirror({ timeoutMs: 500 });
    await mirror.read(KIND, 1);
    // A configuration problem is checked once more, without the cached properties.
    const attempts = outcome.kind === "misconfigured" ? 2 : 1;
    for (let each = 0; each < attempts; each += 1) google.failNext("write", failure);
    const before = writes().length;
    expect(await mirror.write(KIND, 1, people(2))).toMatchObject(outcome);
    expect(writes().length - before).toBe(attempts);
    expect(await mirror.write(KIND, 1, people(2))).toEqual({ kind: "written" });
    expect(tab.allRows).toEqual([HEADER, ...people(2)]);
  });

  // C22
  it("defers when Google cannot be reached or has another certificate", async () => {
    const { mirror, google } = await startSheetsMirror({ ca: createSelfSigned(SHEETS, TOKENS).cert });
    expect(await mirror.write(KIND, 1, people(1))).toMatchObject({ kind: "deferred" });
    expect(await mirror.read(KIND, 1)).toMatchObject({ kind: "deferred" });
    expect(google.requests).toEqual([]);
  });

  it.each<[string, RequestFailure & object]>([
    ["a 500", googleError(500, "INTERNAL")],
    ["a 429", { status: 429, body: { error: "rate_limit_exceeded", error_description: "Too many" } }],
    ["a page that is not Google's", { status: 200, body: "<html>Please log in</html>" }],
  ])("defers while access tokens are unavailable: %s", async (_, answer) => {
    const { mirror, google } = await startSheetsMirror();
    google.setResponse(TOKENS, answer as { status: number });
    expect(await mirror.write(KIND, 1, people(1))).toMatchObject({ kind: "deferred" });
    google.setResponse(TOKENS, undefined);
    expect(await mirror.write(KIND, 1, people(1))).toEqual({ kind: "written" });
  });
});
