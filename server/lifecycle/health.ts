import { within } from "../../app/lib/within.ts";
import type { Readiness } from "../bridge.ts";
import { plain, type PlainResponse } from "../response/plain-response.ts";

/** /healthz and /readyz (R31): plain words, no versions, no names of machines. */
const PROBE_TIMEOUT_MS = 1000;

/** Codes are shown to whoever asks, so anything longer or livelier than a code is kept back. */
const CODE = /^[a-z0-9-]{1,40}$/;

const TIMED_OUT: Readiness = { ok: false, reason: "timeout" };

export interface Health {
  setReadinessProbe(probe: () => Promise<Readiness>): void;
  /** @returns undefined when the path is no health path. */
  answer(path: string): PlainResponse | Promise<PlainResponse> | undefined;
}

export function createHealth(isDraining: () => boolean, timeoutMs = PROBE_TIMEOUT_MS): Health {
  let probe: (() => Promise<Readiness>) | undefined;
  let asking: Promise<Readiness> | undefined;

  async function ready(): Promise<PlainResponse> {
    if (isDraining()) return plain(503, "draining");
    if (!probe) return plain(503, "starting");
    // The probe may write to the database: however many ask at once, it runs once at a time.
    asking ??= settle(probe).finally(() => (asking = undefined));
    const readiness = (await within(timeoutMs, asking)) ?? TIMED_OUT;
    if (readiness.ok) return plain(200, "ready");
    return plain(503, CODE.test(readiness.reason) ? readiness.reason : "unavailable");
  }

  return {
    setReadinessProbe: (given) => void (probe = given),
    answer(path) {
      // The loop turns, so the process lives: no question to anything else, also while draining.
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
