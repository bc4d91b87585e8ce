import { describe, expect, it } from "vitest";
import { ask } from "../../server/fixtures/raw-http";
import { signReport } from "../factories/signed-report";
import { startServer } from "../server-process";
import { waitUntil } from "../wait-until";
import { sharedServer } from "./shared-server";
import { dumpDatabase, logLines, readRows } from "./visitors";
import { useOutreachScreens } from "./outreach-screens";
import { useServer } from "./use-server";

const SECRET = "0123456789abcdef0123456789abcdef";

const server = useServer({ BOUNCE_WEBHOOK_SECRET: SECRET });
const screens = useOutreachScreens(server);

const toBody = (...events: unknown[]) => JSON.stringify({ events });
const createBounce = (address: string, differing = {}) => ({
  type: "bounce",
  permanent: true,
  address,
  reason: "550 no such user",
  ...differing,
});
function report(body: string, headers: Record<string, string> = { "X-Signature": signReport(body, SECRET) }) {
  return server.fetch("/api/bounces", {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

describe("a report of bounces", () => {
  // C7, C26
  it("is accepted from a program without cookie or origin, and counted once", async () => {
    const body = toBody(createBounce("gone@example.com"), {
      type: "complaint",
      address: "angry@example.com",
    });
    const signature = signReport(body, SECRET);
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      "X-Signature": signature,
    };
    const raw = await ask(server.port, "POST /api/bounces", headers, body);
    expect([raw.status, raw.headers["content-type"], raw.headers["cache-control"]]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      "no-store",
    ]);
    expect(raw.body).toContain('{"received":2,"recorded":2,"suppressed":2}');
    expect(await (await report(body)).json()).toEqual({ received: 2, recorded: 0, suppressed: 0 });
    expect(readRows(server, "select address, reason from suppressions order by address")).toEqual([
      { address: "angry@example.com", reason: "complained" },
      { address: "gone@example.com", reason: "bounced" },
    ]);
  });

  it.each<[string, (body: string) => Record<string, string>]>([
    ["no signature", () => ({})],
    ["the signature of another body", () => ({ "X-Signature": signReport("{}", SECRET) })],
    ["an old signature", (body) => ({ "X-Signature": signReport(body, SECRET, Date.now() - 360_000) })],
  ])("with %s is refused with 401 and changes nothing", async (_, headersFor) => {
    const before = dumpDatabase(server);
    const body = toBody(createBounce("victim@example.com"));
    const answer = await report(body, headersFor(body));
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "wrong_signature" }]);
    expect(dumpDatabase(server)).toBe(before);
  });

  it("is refused as a whole with 422 and the number of the invalid event", async () => {
    const before = dumpDatabase(server);
    const answer = await report(toBody(createBounce("fine@example.com"), createBounce("a@x.io, b@x.io")));
    const detail = "events[1].address: must be one address like name@example.com.";
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: "invalid_events", detail }]);
    for (const body of ["", "[]", "null", '{"events":{}}', "\0", "{".repeat(16)]) {
      expect((await report(body)).status).toBe(422);
    }
    expect((await report("{".repeat(10_000))).status).toBe(413);
    expect(dumpDatabase(server)).toBe(before);
  });

  // C25
  it("may be 256 KiB long and no longer, and other addresses keep their limit", async () => {
    const of = (bytes: number) => {
      const empty = toBody(createBounce("long@example.com", { more: "" }));
      return empty.replace('"more":""', `"more":"${"x".repeat(bytes - empty.length)}"`);
    };
    expect((await report(of(256 * 1024))).status).toBe(200);
    const tooLong = await report(of(256 * 1024 + 1));
    expect([tooLong.status, await tooLong.json()]).toMatchObject([413, { code: "body_too_large" }]);
    const body = "x".repeat(65 * 1024);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await server.fetch("/login", { method: "POST", body, headers })).status).toBe(413);
  });

  it("is accepted by POST only", async () => {
    const answer = await server.fetch("/api/bounces");
    expect([answer.status, answer.headers.get("Allow"), await answer.json()]).toMatchObject([
      405,
      "POST",
      { code: "method_not_allowed" },
    ]);
  });

  // C24
  it("leaves neither address nor signature in the log", async () => {
    const body = toBody(createBounce("private@example.com"));
    const signature = signReport(body, SECRET);
    await report(body, { "X-Signature": signature });
    await waitUntil(() => logLines(server).some((line) => line.path === "/api/bounces"));
    expect(server.output()).not.toContain("private@example.com");
    expect(server.output()).not.toContain(signature.slice(-64));
  });

  it("is refused without BOUNCE_WEBHOOK_SECRET, and a short secret stops the start", async () => {
    const bare = await sharedServer();
    const headers = { "Content-Type": "application/json" };
    const answer = await bare.fetch("/api/bounces", { method: "POST", body: "{}", headers });
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "bounces_not_configured" }]);
    await expect(startServer({ BOUNCE_WEBHOOK_SECRET: "short" })).rejects.toThrow("BOUNCE_WEBHOOK_SECRET");
  });
});

// C20, C14
it("a later bounce is shown at its campaign, whose totals stay the same", async () => {
  const email = "later@example.com";
  await screens.signUp(email);
  const campaign = await screens.createDraft();
  await screens.confirm(campaign);
  await screens.waitForState(campaign, "finished");
  const [row] = readRows(server, "select message_id from deliveries where campaign_id = ?", campaign);
  const reason = "</script><script>x</script> \u202Egone";
  const outcome = await report(toBody(createBounce(email, { messageId: row?.message_id, reason })));
  expect(await outcome.json()).toMatchObject({ suppressed: 1 });

  const html = await screens.read(`/admin/outreach/${campaign}`);
  expect(html).toContain("1 bounced later");
  expect(html).toMatch(
    /<bdi[^>]*>bounced later: &lt;\/script&gt;&lt;script&gt;x&lt;\/script&gt; \u202Egone</,
  );
  expect(html).not.toContain("<script>x");
  expect(readRows(server, "select state from deliveries where campaign_id = ?", campaign)).toEqual([
    { state: "sent" },
  ]);
  // An email that bounced later counts as sent, so Retry failed does not send it again.
  const question = await screens.read(`/admin/outreach/${campaign}?step=release`);
  expect(question).toContain("They get emails again. People who");
  expect(question).not.toContain("Retry failed");
  const list = await screens.read("/admin/suppressions?prefix=later");
  expect(list).toContain(`href="/admin/outreach/${campaign}"`);
});
