import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { ask, post } from "../../server/fixtures/raw-http";
import { MOST_WAITS } from "../../server/load/dependency-waits";
import { getSampleValue, METRICS, scrape } from "../exposition";
import { removeAfterTest } from "../fixture";
import { logIn, startServer } from "../server-process";
import { promisedMs } from "../sizes";
import { waitUntil } from "../wait-until";
import { lockDatabase } from "./use-server";
import { BEHIND_A_PROXY, logLines, SIGNED_UP, someone, stampOfAPerson } from "./visitors";

// R15, C38
it("a signup beyond those that may wait is shed at once; all others are served", async () => {
  const server = removeAfterTest(await startServer({ ...BEHIND_A_PROXY, ...METRICS }));
  const session = { Cookie: await logIn(server) };
  const stamp = await stampOfAPerson(server);
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(server.port, `GET ${path}`, headers)).status;
  // Their first rendering takes the longest, and the signups wait for the database only so long.
  for (const path of ["/", "/early-access", "/admin/dashboard"]) await status(path, session);

  // So that all signups wait, as many as may.
  const unlock = lockDatabase(server);
  const signUp = (index: number) => {
    const form = { stamp, name: "Ada", email: `person-${index}@example.com` };
    return post(server.port, "/early-access", String(new URLSearchParams(form)), someone());
  };
  const signups = Array.from({ length: MOST_WAITS.database }, (_, index) => signUp(index));
  // A scrape takes a second while the database does not answer, and the signups wait for five.
  const full = await waitUntil(async () => {
    const samples = await scrape(server);
    const waits = getSampleValue(samples, "frontdesk_http_dependency_waits", { dependency: "database" });
    return waits === MOST_WAITS.database && samples;
  });
  // A request that waits takes no place of one that works.
  const figures = ["http_requests_running", "http_requests_waiting", "database_up"];
  expect(figures.map((name) => getSampleValue(full, `frontdesk_${name}`))).toEqual([0, 0, 0]);

  const refused = await signUp(MOST_WAITS.database);
  expect([refused.status, refused.headers["retry-after"], refused.headers["cache-control"]]).toEqual([
    503,
    "5",
    "no-store",
  ]);
  // Nothing that was typed is lost.
  expect(refused.body).toContain(`person-${MOST_WAITS.database}@example.com`);
  const [asset = ""] = globSync("build/client/assets/*.css");
  expect(await status("/healthz")).toBe(200);
  expect(await status(`/static/assets/${asset.split("/").at(-1)}`)).toBe(200);
  expect(await status("/favicon.svg")).toBe(200);
  expect(await status("/")).toBe(200);
  expect(await status("/early-access")).toBe(200);
  expect(await status("/admin/dashboard", session)).toBe(200);
  const shed = () => logLines(server).filter((line) => line.status === 503);
  await waitUntil(() => shed().length === 1);
  expect(shed()[0]?.ms).toBeLessThan(promisedMs(50));

  unlock();
  const answers = await Promise.all(signups);
  expect(answers.map(({ headers }) => headers.location)).toEqual(Array(MOST_WAITS.database).fill(SIGNED_UP));
  expect(await status("/early-access")).toBe(200);
  const shedSignups = { priority: "form" };
  expect(getSampleValue(await scrape(server), "frontdesk_http_requests_shed_total", shedSignups)).toBe(1);
  // On a slow machine the lock may be held for longer than storing the log waits; it tries again.
  const errors = logLines(server).filter(({ level }) => Number(level) >= 50);
  expect(errors.filter(({ msg }) => msg !== "storing the log failed, retrying")).toEqual([]);
});
