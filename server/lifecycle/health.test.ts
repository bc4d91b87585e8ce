import { expect, test, vi } from "vitest";
import type { Readiness } from "../bridge.ts";
import { createHealth } from "./health.ts";

const SILENT = { error: () => undefined, warn: () => undefined, info: () => undefined };

const getReadiness = async (health: ReturnType<typeof createHealth>) => {
  const answer = await health.answer("/readyz");
  return answer && [answer.status, answer.message];
};

// R31
test("/healthz is 200 without a probe, also while draining", () => {
  const health = createHealth(() => true, SILENT);
  health.setReadinessProbe(() => Promise.reject(new Error("must not be asked")));
  expect(health.answer("/healthz")).toEqual({ status: 200, message: "ok" });
});

test("other paths are not answered", () => {
  expect(createHealth(() => false, SILENT).answer("/healthz/x")).toBeUndefined();
});

// R31
test("/readyz is 503 while starting, and while draining whatever the probe returns", async () => {
  let draining = false;
  const health = createHealth(() => draining, SILENT);
  expect(await getReadiness(health)).toEqual([503, "starting"]);
  health.setReadinessProbe(async () => ({ ok: true }));
  expect(await getReadiness(health)).toEqual([200, "ready"]);
  draining = true;
  expect(await getReadiness(health)).toEqual([503, "draining"]);
});

test.each<[string, () => Promise<Readiness>, string]>([
  ["a reason", async () => ({ ok: false, reason: "disk-full" }), "disk-full"],
  ["a reason that leaks", async () => ({ ok: false, reason: "PostgreSQL 18.4 at 10.0.0.3" }), "unavailable"],
  ["a throw", () => Promise.reject(new Error("secret")), "failed"],
  [
    "a throw before any promise",
    () => {
      throw new Error("secret");
    },
    "failed",
  ],
  ["silence", () => new Promise(() => {}), "timeout"],
])("a probe's %s becomes 503 with a plain code", async (_, probe, code) => {
  const health = createHealth(() => false, SILENT, 20);
  health.setReadinessProbe(probe);
  expect(await getReadiness(health)).toEqual([503, code]);
});

test("concurrent requests share one run of the probe", async () => {
  const health = createHealth(() => false, SILENT);
  const probe = vi.fn(async () => ({ ok: true }) as const);
  health.setReadinessProbe(probe);
  await Promise.all(Array.from({ length: 50 }, () => health.answer("/readyz")));
  expect(probe).toHaveBeenCalledTimes(1);
  await health.answer("/readyz");
  expect(probe).toHaveBeenCalledTimes(2);
});

// R50
test("each reason is logged once until the server is ready again, and remembered", async () => {
  const logged: unknown[][] = [];
  const log = {
    ...SILENT,
    error: (...line: unknown[]) => logged.push(line),
    info: (line: string) => logged.push([line]),
  };
  const health = createHealth(() => false, log);
  const cause = new Error("of the operator");
  const steps: Readiness[] = [
    { ok: true },
    { ok: false, reason: "disk-low" },
    { ok: false, reason: "database-full", cause },
    { ok: false, reason: "disk-low" },
    { ok: false, reason: "database-full", cause },
    { ok: true },
    { ok: false, reason: "disk-low" },
  ];
  expect(health.latest()).toEqual({ ok: true });
  for (const step of steps) {
    health.setReadinessProbe(async () => step);
    await health.answer("/readyz");
    expect(health.latest()).toBe(step);
  }
  const warn = (...line: unknown[]) => logged.push(line);
  const timedOut = createHealth(() => false, { ...log, warn }, 20);
  timedOut.setReadinessProbe(() => new Promise(() => {}));
  expect(await getReadiness(timedOut)).toEqual([503, "timeout"]);
  expect(logged).toEqual([
    [{ reason: "disk-low", err: undefined }, "this server is not ready"],
    [{ reason: "database-full", err: cause }, "this server is not ready"],
    ["this server is ready again"],
    [{ reason: "disk-low", err: undefined }, "this server is not ready"],
  ]);
});
