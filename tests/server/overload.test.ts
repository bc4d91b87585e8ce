import { globSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { ask, post } from "../../server/fixtures/raw-http";
import { PLACES, WAITING } from "../../server/load/concurrency-limiter";
import { getSampleValue, METRICS, scrape } from "../exposition";
import { removeAfterTest } from "../fixture";
import { logIn, startServer } from "../server-process";
import { promisedMs } from "../sizes";
import { lockDatabase } from "./use-server";
import { BEHIND_A_PROXY, logLines, SIGNED_UP, someone, stampOfAPerson } from "./visitors";

it("a visitor beyond the queue is shed at once; operators, probes and cached responses are served (R15, C38)", async () => {
  const server = removeAfterTest(await startServer({ ...BEHIND_A_PROXY, ...METRICS }));
  const session = { Cookie: await logIn(server) };
  const stamp = await stampOfAPerson(server);
  await server.fetch("/");
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(server.port, `GET ${path}`, headers)).status;

  // So that all signups wait, as many as may.
  const unlock = lockDatabase(server);
  const form = (index: number) =>
    String(new URLSearchParams({ stamp, name: "Ada", email: `person-${index}@example.com` }));
  const signups = Array.from({ length: PLACES.form + WAITING }, (_, index) =>
    post(server.port, "/early-access", form(index), someone()),
  );
  const getMetric = async (name: string, labels?: Record<string, string>) =>
    getSampleValue(await scrape(server), `frontdesk_${name}`, labels);
  const isFull = async () => (await getMetric("http_requests_waiting")) === WAITING;
  await vi.waitUntil(isFull, { timeout: 10_000 });
  expect(await getMetric("http_requests_running")).toBe(PLACES.form);
  expect(await getMetric("database_up")).toBe(0);

  const page = await ask(server.port, "GET /early-access");
  expect([page.status, page.headers["retry-after"], page.headers["cache-control"]]).toEqual([
    503,
    "5",
    "no-store",
  ]);
  expect(page.body).toContain("Wait a few seconds and try again");
  const [asset = ""] = globSync("build/client/assets/*.css");
  expect(await status("/healthz")).toBe(200);
  expect(await status(`/static/assets/${asset.split("/").at(-1)}`)).toBe(200);
  expect(await status("/favicon.svg")).toBe(200);
  expect(await status("/")).toBe(200);
  expect(await status("/admin/dashboard", session)).toBe(200);
  const shed = () => logLines(server).filter((line) => line.status === 503);
  await vi.waitUntil(() => shed().length === 1);
  expect(shed()[0]?.ms).toBeLessThan(promisedMs(50));
  expect(await getMetric("http_requests_shed_total", { priority: "page" })).toBe(1);

  unlock();
  const answers = await Promise.all(signups);
  expect(answers.map(({ headers }) => headers.location)).toEqual(
    Array(PLACES.form + WAITING).fill(SIGNED_UP),
  );
  expect(await status("/early-access")).toBe(200);
});
