import { expect, test } from "vitest";
import { readExposition, getSampleValue } from "../../tests/exposition.ts";
import { createMetrics } from "./metrics.ts";
import { ROUTE_KINDS, getRouteKind } from "./route-kinds.ts";

function setUp() {
  const metrics = createMetrics({
    running: () => 3,
    waiting: () => 2,
    waitingFor: (dependency) => (dependency === "database" ? 9 : 0),
    lagMs: () => 250,
    dropped: () => 7,
    unwritten: () => 4,
  });
  return { ...metrics, read: async () => readExposition(await metrics.registry.metrics()) };
}

test.each([
  ["/", "/"],
  ["/_root.data", "/"],
  ["/admin", "/admin"],
  ["/admin/logs/newest.data", "/admin/logs"],
  ["/admin/outreach/0190-x/export", "/admin/outreach"],
  ["/api/email/send-email", "/api/email"],
  ["/api/openapi.json", "/api/openapi.json"],
  ["/updates/confirm/secret-token", "/updates/confirm"],
  ["/unsubscribe/secret-token", "/unsubscribe"],
  ["/invitation/secret-token", "/invitation"],
  ["/static/assets/app-1a2b.js", "/static"],
  ["/robots.txt", "file"],
  ["", "refused"],
  ["/wp-login.php/x", "unknown"],
  ["/constructor", "unknown"],
])("a request for %j counts as %j", (path, kind) => expect(getRouteKind(path)).toBe(kind));

test("visitors cannot create label values", async () => {
  const metrics = setUp();
  for (let index = 0; index < 2000; index++) {
    const special = ['"', "\\", "\n", "{", "é", "__proto__"][index % 6];
    metrics.answered(`/${index}${special}`, { method: `M${index}`, status: 404, ms: 1 });
    metrics.answered(`/admin/${index}`, { method: "GET", status: 303, ms: 1 });
    metrics.answered(`/${index}.php`, { method: "GET", status: 404, ms: 1 });
    metrics.logged(index);
  }
  const families = await metrics.read();
  const requests = families.get("frontdesk_http_requests_total")!.samples;
  expect(requests).toHaveLength(3);
  expect(requests.every(({ labels }) => ROUTE_KINDS.includes(labels.route!))).toBe(true);
  const unknown = { route: "unknown", method: "other", status: "4xx" };
  expect(getSampleValue(families, "frontdesk_http_requests_total", unknown)).toBe(2000);
  expect(families.get("frontdesk_log_lines_total")!.samples.length).toBeLessThanOrEqual(7);
});

test("counts a request by kind, method, status class and time", async () => {
  const metrics = setUp();
  metrics.answered("/login", { method: "POST", status: 303, ms: 60 });
  metrics.answered("/login", { method: "POST", status: undefined, ms: 3000 });
  const families = await metrics.read();
  const count = (status: string) =>
    getSampleValue(families, "frontdesk_http_requests_total", { route: "/login", method: "POST", status });
  const within = (le: string) =>
    getSampleValue(families, "frontdesk_http_request_duration_seconds_bucket", { route: "/login", le });
  expect([count("3xx"), count("none")]).toEqual([1, 1]);
  expect([within("0.02"), within("0.1"), within("2.5"), within("+Inf")]).toEqual([0, 1, 1, 2]);
});

test("gauges are read at each scrape, and counters begin at 0", async () => {
  const metrics = setUp();
  metrics.shed("form");
  metrics.logged(50);
  await metrics.read();
  const families = await metrics.read();
  const value = (name: string, labels = {}) => getSampleValue(families, `frontdesk_${name}`, labels);
  expect(value("http_requests_running")).toBe(3);
  expect(value("http_requests_waiting")).toBe(2);
  expect(value("event_loop_late_seconds")).toBe(0.25);
  expect(value("log_lines_dropped_total")).toBe(7);
  expect(value("log_lines_unwritten_total")).toBe(4);
  expect(value("http_requests_shed_total", { priority: "form" })).toBe(1);
  expect(value("http_requests_shed_total", { priority: "page" })).toBe(0);
  expect(value("log_lines_total", { level: "error" })).toBe(1);
  expect(value("log_lines_total", { level: "fatal" })).toBe(0);
});
