import { describe, expect, it } from "vitest";
import { ROUTE_KINDS, getRouteKind } from "../../server/observability/route-kinds";
import { ask } from "../../server/fixtures/raw-http";
import { getSampleValue, METRICS, readExposition, scrape } from "../exposition";
import { apiPaths, builtRoutes } from "./route-manifest";
import { bearer } from "./made-tokens";
import { PANEL_FIELDS } from "./outreach-screens";
import { signUp, someone } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const authorized = bearer(METRICS.METRICS_TOKEN);

const server = useServer(METRICS);
const superadmin = useSuperadmin(server);

const REQUESTS = "frontdesk_http_requests_total";

describe("/metrics", () => {
  it("needs the token, has two formats, and is not cached", async () => {
    expect((await server.fetch("/metrics")).status).toBe(404);
    expect((await server.fetch("/metrics", { headers: { Authorization: "Bearer wrong" } })).status).toBe(404);
    expect((await superadmin.get("/metrics")).status).toBe(404);
    const Accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3";
    const open = await server.fetch("/metrics", { headers: { ...authorized, Accept } });
    const text = await server.fetch("/metrics", { headers: authorized });
    for (const { headers } of [text, open]) expect(headers.get("Cache-Control")).toBe("no-store");
    expect(text.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    expect(open.headers.get("Content-Type")).toBe(openMetrics);
    const families = readExposition(await text.text());
    const inOpen = readExposition(await open.text(), "openmetrics");
    expect(inOpen.size).toBe(families.size);
    expect(getSampleValue(families, "frontdesk_database_up")).toBe(1);
    expect(getSampleValue(families, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(getSampleValue(inOpen, "frontdesk_disk_free_bytes")).toBeGreaterThan(0);
  });

  it("counts a signup, a bot's, a duplicate, a refused one, and an email", async () => {
    const before = await scrape(server);
    const network = someone();
    for (let person = 0; person < 10; person++) {
      await signUp(server, { email: `p${person}@example.com` }, network);
    }
    const late = await signUp(server, { email: "late@example.com" }, network);
    expect(late.status).toBe(429);
    // A request counts when its response has been sent.
    await late.text();
    await signUp(server, { email: "p0@example.com" });
    await signUp(server, { email: "bot@example.com", website: "http://example.com" });
    const test = { ...PANEL_FIELDS, intent: "test", testAddress: "ada@example.com" };
    expect((await superadmin.post("/admin/dashboard", test)).status).toBe(303);
    const after = await scrape(server);
    const moved = (name: string, labels: Record<string, string>) =>
      (getSampleValue(after, name, labels) ?? 0) - (getSampleValue(before, name, labels) ?? 0);
    const signups = (outcome: string) => moved("frontdesk_signups_total", { form: "early-access", outcome });
    expect(["accepted", "duplicate", "quarantined", "refused"].map(signups)).toEqual([10, 1, 1, 1]);
    expect(moved("frontdesk_submissions", { form: "early-access", state: "accepted" })).toBe(10);
    expect(moved("frontdesk_emails_total", { outcome: "accepted" })).toBe(1);
    expect(moved(REQUESTS, { route: "/early-access", method: "POST", status: "4xx" })).toBe(1);
    expect(moved("frontdesk_log_lines_total", { level: "info" })).toBeGreaterThan(10);
  });

  it("has a kind for every route, and none for paths that visitors make up", async () => {
    const routes = builtRoutes().filter(({ id }) => !id.endsWith("$"));
    const everyPath = [...routes.map(({ path }) => path), ...(await apiPaths(server))];
    const kinds = everyPath.map((path) => [path, getRouteKind(path.toLowerCase())]);
    expect(kinds.filter(([, kind]) => kind === "unknown")).toEqual([]);
    const used = new Set(kinds.map(([, kind]) => kind));
    const guards = ["/static", "/csp-report", "/healthz", "/readyz", "/metrics", "refused", "unknown"];
    // The forms are one route with several addresses.
    const forms = ["/early-access", "/updates", "/contact"];
    expect(ROUTE_KINDS.filter((kind) => !used.has(kind)).sort()).toEqual([...guards, ...forms].sort());
    for (const path of ["/made-up-by-a-visitor", "/made-up-by-a-visitor/x", "/admin/made-up-by-a-visitor"]) {
      await server.fetch(path);
    }
    await ask(server.port, "TRACE /login");
    const families = await scrape(server);
    expect(JSON.stringify([...families])).not.toMatch(/made-?up/i);
    const refused = { route: "refused", method: "other", status: "4xx" };
    expect(getSampleValue(families, REQUESTS, refused)).toBeGreaterThanOrEqual(1);
  });
});
