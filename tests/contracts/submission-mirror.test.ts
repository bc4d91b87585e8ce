import { describe, expect, it } from "vitest";
import { WebEndpointMirror } from "~/services/mirrors/drivers/web-endpoint-mirror.server";
import type { MirrorRow } from "~/services/mirrors/submission-mirror";
import { removeAfterTest } from "../fixture";
import { describeMirror } from "../factories/mirror-battery";
import { createTestClock } from "../factories/time";
import { API_KEY, SHEETS, startWebEndpoints, type EndpointEvent } from "../fakes/web-endpoints";

const FAILURES = {
  "429": { status: 429, headers: { "Retry-After": "7" }, body: "Too many\nrequests" },
  "500": { status: 500, body: "<html>Internal error</html>" },
  slow: "silent",
  "cut-after-apply": "cut-after-apply",
} as const satisfies Record<string, EndpointEvent>;

async function startMirror({ canRead = true, key = API_KEY } = {}) {
  const endpoints = removeAfterTest(await startWebEndpoints());
  const mirror = new WebEndpointMirror({
    urls: endpoints.urls,
    clock: createTestClock(),
    timeoutMs: 300,
    ...(canRead && { readBack: { key, sheets: SHEETS, origin: endpoints.origin } }),
  });
  return {
    ...endpoints,
    mirror: removeAfterTest(mirror),
    failNext: (failure: keyof typeof FAILURES) => void endpoints.events.push(FAILURES[failure]),
  };
}

const timeColumn = (kind: string) => (kind === "early-access" ? 4 : 0);
describeMirror("the web endpoints", () => startMirror({ canRead: false }), { timeColumn });
describeMirror("the web endpoints, read back", () => startMirror(), { timeColumn });

describe("a web endpoint's response", () => {
  const row: MirrorRow = ["Ada", "ada@example.com", "", "", "2026-11-21T08:00:00.000Z"];

  async function write(event: EndpointEvent, kind: "early-access" | "updates-signup" = "early-access") {
    const { mirror, events, rows } = await startMirror();
    events.push(event);
    const outcome = await mirror.write(kind, 1, [row]);
    return { outcome, rowCount: rows(kind).length };
  }

  it("is followed to the address that an Apps Script redirects to", async () => {
    expect(await write("redirect")).toEqual({ outcome: { kind: "written" }, rowCount: 1 });
  });

  it.each(["https://accounts.google.com/login", "http://10.0.0.1/x", "nonsense://"])(
    "is not followed to %s, with advice in the problem",
    async (location) => {
      const { outcome } = await write({ status: 302, headers: { Location: location } });
      const detail = expect.stringContaining("Apps Script");
      expect(outcome).toEqual({ kind: "misconfigured", detail });
    },
  );

  // R11
  it("has the delay of its Retry-After", async () => {
    const { outcome } = await write(FAILURES["429"]);
    const deferred = { kind: "deferred", detail: "It answered 429: Too many requests", retryAfterMs: 7000 };
    expect(outcome).toEqual(deferred);
  });

  it.each([
    [{ status: 404, body: "" }, "misconfigured"],
    [{ status: 308, headers: { Location: "/answer" } }, "misconfigured"],
    [{ status: 200, body: "<html>Script function not found: doPost</html>" }, "misconfigured"],
    [{ status: 200, body: '{"status":"error","message":"No such role"}' }, "refused"],
    [{ status: 422, body: '{"message":"No"}' }, "refused"],
    [{ status: 503, body: "" }, "deferred"],
    [{ status: 502, body: "" }, "unknown"],
    ["cut", "unknown"],
  ] as const)("%j is %s", async (event, kind) => {
    expect((await write(event)).outcome).toMatchObject({ kind });
  });

  it("of updates is its status alone", async () => {
    const { outcome } = await write({ status: 200, body: "<html>thanks</html>" }, "updates-signup");
    expect(outcome).toEqual({ kind: "written" });
  });

  it.each([
    ["early-access", "A2:E"],
    ["contact-form", "A2:E"],
    ["updates-signup", "A2:C"],
  ] as const)("of reading %s is asked for with the columns %s", async (kind, range) => {
    const { mirror, paths } = await startMirror();
    await mirror.read?.(kind, 1);
    expect(paths.map(decodeURIComponent)).toEqual([
      `GET /v4/spreadsheets/${SHEETS[kind]}/values/sheet1!${range}`,
    ]);
  });

  it("names a sheet that has too few columns", async () => {
    const { mirror, events } = await startMirror();
    const message = "Range (sheet1!A2:E) exceeds grid limits. Max rows: 1000, max columns: 3";
    events.push({ status: 400, body: JSON.stringify({ error: { message } }) });
    expect(await mirror.read?.("early-access", 1)).toMatchObject({ kind: "misconfigured" });
  });

  it("names a wrong key or sheet, and never says the key", async () => {
    const { mirror } = await startMirror({ key: "AIzaSy-a-wrong-key-1234567" });
    const reading = await mirror.read?.("early-access", 1);
    expect(reading).toEqual({
      kind: "misconfigured",
      detail: expect.stringMatching(/400 to reading it: API key not valid.*GOOGLE_API_KEY/),
    });
    expect(JSON.stringify(reading)).not.toContain("a-wrong-key");
  });
});
