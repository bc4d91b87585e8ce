import { within } from "../../app/lib/within.ts";
import type { Readiness } from "../bridge.ts";
import { plain, type PlainResponse } from "../response/plain-response.ts";

/** /healthz and /readyz (R31) answer in plain text, without versions or host names. */
const PROBE_TIMEOUT_MS = 1000;

/** The form of a reason that may be shown publicly; any other reason is withheld. */
const CODE = /^[a-z0-9-]{1,40}$/;

const TIMED_OUT: Readiness = { ok: false, reason: "timeout" };

export type Health = ReturnType<typeof createHealth>;

export function createHealth(isDraining: () => boolean, timeoutMs = PROBE_TIMEOUT_MS) {
  let probe: (() => Promise<Readiness>) | undefined;
  let running: Promise<Readiness> | undefined;

  async function ready(): Promise<PlainResponse> {
    if (isDraining()) return plain(503, "draining");
    if (!probe) return plain(503, "starting");
    // The probe may write to the database, so concurrent requests share one run.
    running ??= settle(probe).finally(() => (running = undefined));
    const readiness = (await within(timeoutMs, running)) ?? TIMED_OUT;
    if (readiness.ok) return plain(200, "ready");
    return plain(503, CODE.test(readiness.reason) ? readiness.reason : "unavailable");
  }

  return {
    setReadinessProbe: (work: () => Promise<Readiness>): void => void (probe = work),

    /** @returns undefined when the path is not a health path. */
    answer(path: string): PlainResponse | Promise<PlainResponse> | undefined {
      // The event loop answers, so the process is alive: nothing else is probed, also while draining.
      if (path === "/healthz") return plain(200, "ok");
      return path === "/readyz" ? ready() : undefined;
    },
  };
}

async function settle(probe: () => Promise<Readiness>): Promise<Readiness> {
  try {
    return await probe();
  } catch {
    return { ok: false, reason: "failed" };
  }
}
