import { expect, test } from "vitest";
import { readExposition, getSampleValue } from "../../tests/exposition.ts";
import { createMetrics } from "./metrics.ts";
import { ROUTE_KINDS, getRouteKind } from "./route-kinds.ts";

const start = () =>
  createMetrics({
    running: () => 3,
    waiting: () => 2,
    lagMs: () => 250,
    dropped: () => 7,
    unwritten: () => 4,
  });
const read = async ({ registry }: ReturnType<typeof start>) => readExposition(await registry.metrics());

test.each([
  ["/", "/"],
  ["/_root.data", "/"],
  ["/admin", "/admin"],
  ["/admin/logs", "/admin/logs"],
  ["/admin/logs/newest.data", "/admin/logs"],
  ["/admin/outreach/0190-x/export", "/admin/outreach"],
  ["/api/email/send-email", "/api/email"],
  ["/api/openapi.json", "/api/openapi.json"],
  ["/updates/confirm/secret-token", "/updates/confirm"],
  ["/unsubscribe/secret-token", "/unsubscribe"],
  ["/static/assets/app-1a2b.js", "/static"],
  ["/robots.txt", "file"],
  ["", "refused"],
  ["/wp-login.php/x", "unknown"],
  ["/admin/nothing", "unknown"],
  ["/constructor", "unknown"],
])("a request for %j counts as %j", (path, kind) => expect(getRouteKind(path)).toBe(kind));

test("a visitor cannot make a label: whatever is asked for, there are as many as there are kinds of routes", async () => {
  const metrics = start();
  for (let index = 0; index < 2000; index++) {
    const odd = ['"', "\\", "\n", "{", "é", "__proto__"][index % 6];
    metrics.answered(`/${index}${odd}`, { method: `M${index}`, status: 404, ms: 1 });
    metrics.answered(`/admin/${index}`, { method: "GET", status: 303, ms: 1 });
    metrics.answered(`/${index}.php`, { method: "GET", status: 404, ms: 1 });
    metrics.logged(index);
  }
  const families = await read(metrics);
  const requests = families.get("frontdesk_http_requests_total")!.samples;
  expect(requests).toHaveLength(3);
  expect(requests.every(({ labels }) => ROUTE_KINDS.includes(labels.route!))).toBe(true);
  expect(
    getSampleValue(families, "frontdesk_http_requests_total", {
      route: "unknown",
      method: "other",
      status: "4xx",
    }),
  ).toBe(2000);
  expect(families.get("frontdesk_log_lines_total")!.samples.length).toBeLessThanOrEqual(7);
});

test("a request counts by kind, method and class of status, and its time in the right bucket", async () => {
  const metrics = start();
  metrics.answered("/login", { method: "POST", status: 303, ms: 60 });
  metrics.answered("/login", { method: "POST", status: undefined, ms: 3000 });
  const families = await read(metrics);
  const count = (status: string) =>
    getSampleValue(families, "frontdesk_http_requests_total", { route: "/login", method: "POST", status });
  const within = (le: string) =>
    getSampleValue(families, "frontdesk_http_request_duration_seconds_bucket", { route: "/login", le });
  expect([count("3xx"), count("none")]).toEqual([1, 1]);
  expect([within("0.02"), within("0.1"), within("2.5"), within("+Inf")]).toEqual([0, 1, 1, 2]);
});

test("requests, the event loop and missing lines are as they are at the scrape, and what never happened is 0", async () => {
  const metrics = start();
  metrics.shed("form");
  metrics.logged(50);
  await read(metrics);
  const families = await read(metrics);
  const values = [
    getSampleValue(families, "frontdesk_http_requests_running"),
    getSampleValue(families, "frontdesk_http_requests_waiting"),
    getSampleValue(families, "frontdesk_event_loop_late_seconds"),
    getSampleValue(families, "frontdesk_log_lines_dropped_total"),
    getSampleValue(families, "frontdesk_log_lines_unwritten_total"),
    getSampleValue(families, "frontdesk_http_requests_shed_total", { priority: "form" }),
    getSampleValue(families, "frontdesk_http_requests_shed_total", { priority: "page" }),
    getSampleValue(families, "frontdesk_log_lines_total", { level: "error" }),
    getSampleValue(families, "frontdesk_log_lines_total", { level: "fatal" }),
  ];
  expect(values).toEqual([3, 2, 0.25, 7, 4, 1, 0, 1, 0]);
});
