import { describe, expect, it } from "vitest";
import { WebEndpointMirror } from "~/services/mirrors/drivers/web-endpoint-mirror.server";
import type { MirrorRow } from "~/services/mirrors/submission-mirror";
import type { MirrorUnderTest } from "../factories/mirror-battery";
import { describeMirror } from "../factories/mirror-battery";
import { createTestClock } from "../factories/time";
import { API_KEY, SHEETS, startWebEndpoints } from "../fakes/web-endpoints";
import type { EndpointEvent } from "../fakes/web-endpoints";

const TROUBLES = {
  429: { status: 429, headers: { "Retry-After": "7" }, body: "Too many\nrequests" },
  500: { status: 500, body: "<html>Internal error</html>" },
  slow: "silent",
  "cut-after-apply": "cut-after-apply",
} as const satisfies Record<string, EndpointEvent>;

async function open({ canRead = true } = {}) {
  const endpoints = await startWebEndpoints();
  const mirror = new WebEndpointMirror({
    urls: endpoints.urls,
    clock: createTestClock(),
    timeoutMs: 300,
    ...(canRead && { readBack: { key: API_KEY, sheets: SHEETS, origin: endpoints.origin } }),
  });
  return { ...endpoints, mirror };
}

async function underTest(canRead: boolean): Promise<MirrorUnderTest> {
  const { mirror, rows, events, close } = await open({ canRead });
  return { mirror, getRows: rows, close, failNext: (how) => void events.push(TROUBLES[how]) };
}

const timeColumn = (kind: string) => (kind === "early-access" ? 4 : 0);
describeMirror("the web endpoints", () => underTest(false), { timeColumn });
describeMirror("the web endpoints, read back", () => underTest(true), { timeColumn });

describe("a web endpoint's answer", () => {
  const row: MirrorRow = ["Ada", "ada@example.com", "", "", "2026-11-21T08:00:00.000Z"];

  async function after(event: EndpointEvent, kind: "early-access" | "updates-signup" = "early-access") {
    const { mirror, events, rows, close } = await open();
    events.push(event);
    const outcome = await mirror.write(kind, 1, [row]);
    const stands = rows(kind).length;
    await mirror.close();
    await close();
    return { outcome, stands };
  }

  it("is followed to where an Apps Script leaves it", async () => {
    expect(await after("redirect")).toEqual({ outcome: { kind: "written" }, stands: 1 });
  });

  it("is not followed to another site, and what to do about it is said", async () => {
    for (const location of ["https://accounts.google.com/login", "http://10.0.0.1/x", "nonsense://"]) {
      const { outcome } = await after({ status: 302, headers: { Location: location } });
      const detail = expect.stringContaining("Apps Script");
      expect(outcome).toEqual({ kind: "misconfigured", detail });
    }
  });

  it("says how long to wait (R11)", async () => {
    const { outcome } = await after(TROUBLES[429]);
    expect(outcome).toEqual({
      kind: "deferred",
      detail: "It answered 429: Too many requests",
      retryAfterMs: 7000,
    });
  });

  it.each([
    [{ status: 404, body: "" }, "misconfigured"],
    [{ status: 401, body: "" }, "misconfigured"],
    [{ status: 308, headers: { Location: "/answer" } }, "misconfigured"],
    [{ status: 200, body: "<html>Script function not found: doPost</html>" }, "misconfigured"],
    [{ status: 200, body: '{"status":"error","message":"No such role"}' }, "refused"],
    [{ status: 422, body: '{"message":"No"}' }, "refused"],
    [{ status: 503, body: "" }, "deferred"],
    [{ status: 502, body: "" }, "unknown"],
    [{ status: 504, body: "" }, "unknown"],
    ["cut", "unknown"],
  ] as const)("%j is %s", async (event, kind) => {
    expect((await after(event)).outcome).toMatchObject({ kind });
  });

  it("of updates is its status alone", async () => {
    expect((await after({ status: 200, body: "<html>thanks</html>" }, "updates-signup")).outcome).toEqual({
      kind: "written",
    });
  });

  it.each([
    ["early-access", "A2:E"],
    ["contact-form", "A2:E"],
    ["updates-signup", "A2:C"],
  ] as const)("of reading %s is asked for with the columns %s", async (kind, range) => {
    const { mirror, close, paths } = await open();
    await mirror.read?.(kind, 1);
    expect(paths.map(decodeURIComponent)).toEqual([
      `GET /v4/spreadsheets/${SHEETS[kind]}/values/sheet1!${range}`,
    ]);
    await Promise.all([mirror.close(), close()]);
  });

  it("names a wrong key or sheet, and never says the key", async () => {
    const { mirror, close, origin, urls } = await open();
    const wrong = new WebEndpointMirror({
      urls,
      clock: createTestClock(),
      readBack: { key: "AIzaSy-a-wrong-key-1234567", sheets: SHEETS, origin },
    });
    const reading = await wrong.read?.("early-access", 1);
    expect(reading).toEqual({
      kind: "misconfigured",
      detail: expect.stringMatching(/400 to reading it: API key not valid.*GOOGLE_API_KEY/),
    });
    expect(JSON.stringify(reading)).not.toContain("a-wrong-key");
    await Promise.all([mirror.close(), wrong.close(), close()]);
  });
});
