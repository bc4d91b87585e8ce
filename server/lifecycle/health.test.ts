import { expect, test } from "vitest";
import type { Readiness } from "../bridge.ts";
import { createHealth } from "./health.ts";

const answerOf = async (health: ReturnType<typeof createHealth>, path = "/readyz") => {
  const answer = await health.answer(path);
  return answer && [answer.status, answer.message];
};

test("the process is healthy at once, also while it drains, and asks nobody (R31)", () => {
  const health = createHealth(() => true);
  health.setReadinessProbe(() => Promise.reject(new Error("must not be asked")));
  expect(health.answer("/healthz")).toEqual({ status: 200, message: "ok" });
});

test("other paths are none of its business", () => {
  expect(createHealth(() => false).answer("/healthz/x")).toBeUndefined();
});

test("it is not ready while starting, nor while draining although the probe would say so (R31)", async () => {
  let draining = false;
  const health = createHealth(() => draining);
  expect(await answerOf(health)).toEqual([503, "starting"]);
  health.setReadinessProbe(async () => ({ ok: true }));
  expect(await answerOf(health)).toEqual([200, "ready"]);
  draining = true;
  expect(await answerOf(health)).toEqual([503, "draining"]);
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
  const health = createHealth(() => false, 20);
  health.setReadinessProbe(probe);
  expect(await answerOf(health)).toEqual([503, code]);
});

test("however many ask at once, the probe runs once", async () => {
  const health = createHealth(() => false);
  let asked = 0;
  health.setReadinessProbe(async () => {
    asked++;
    return { ok: true };
  });
  await Promise.all(Array.from({ length: 50 }, () => health.answer("/readyz")));
  expect(asked).toBe(1);
  await health.answer("/readyz");
  expect(asked).toBe(2);
});
