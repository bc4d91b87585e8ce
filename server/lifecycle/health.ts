import type { Logger } from "pino";
import { within } from "../../app/lib/within.ts";
import type { Readiness } from "../bridge.ts";
import { plain, type PlainResponse } from "../response/plain-response.ts";

/** /healthz and /readyz (R31) answer in plain text, without versions or host names. */
const PROBE_TIMEOUT_MS = 1000;

/** The form of a reason that may be shown publicly; any other reason is withheld. */
const CODE = /^[a-z0-9-]{1,40}$/;

const TIMED_OUT: Readiness = { ok: false, reason: "timeout" };
const STARTING: Readiness = { ok: false, reason: "starting" };
const DRAINING: Readiness = { ok: false, reason: "draining" };

export type Health = ReturnType<typeof createHealth>;

/** @param log says when the probe fails, once for each reason until it succeeds, and when it succeeds again. */
export function createHealth(
  isDraining: () => boolean,
  log: Pick<Logger, "error" | "warn" | "info">,
  timeoutMs = PROBE_TIMEOUT_MS,
) {
  let probe: (() => Promise<Readiness>) | undefined;
  let running: Promise<Readiness> | undefined;
  let latest: Readiness = { ok: true };
  let hasBeenReady = false;
  const logged = new Set<string>();

  async function check(): Promise<Readiness> {
    if (isDraining()) return DRAINING;
    if (!probe) return STARTING;
    // The probe may write to the database, so concurrent requests share one run.
    running ??= settle(probe).finally(() => (running = undefined));
    latest = (await within(timeoutMs, running)) ?? TIMED_OUT;
    logChange(latest);
    return latest;
  }

  function logChange(readiness: Readiness): void {
    if (readiness.ok) {
      if (logged.size > 0) log.info("this server is ready again");
      hasBeenReady = true;
      return logged.clear();
    }
    const { reason, cause } = readiness;
    // The first page takes long to render: the server is still starting.
    const isStarting = readiness === TIMED_OUT && !hasBeenReady;
    if (isStarting || logged.has(reason)) return;
    logged.add(reason);
    // A busy machine may be late once.
    log[readiness === TIMED_OUT ? "warn" : "error"]({ reason, err: cause }, "this server is not ready");
  }

  return {
    setReadinessProbe: (work: () => Promise<Readiness>): void => void (probe = work),

    check,

    /** Returns the newest result of the probe; "ready" before there is one. */
    latest: (): Readiness => latest,

    /** @returns undefined when the path is not a health path. */
    answer(path: string): PlainResponse | Promise<PlainResponse> | undefined {
      // The event loop answers, so the process is alive: nothing else is probed, also while draining.
      if (path === "/healthz") return plain(200, "ok");
      return path === "/readyz" ? check().then(toResponse) : undefined;
    },
  };
}

function toResponse(readiness: Readiness): PlainResponse {
  if (readiness.ok) return plain(200, "ready");
  return plain(503, CODE.test(readiness.reason) ? readiness.reason : "unavailable");
}

async function settle(probe: () => Promise<Readiness>): Promise<Readiness> {
  try {
    return await probe();
  } catch (cause) {
    return { ok: false, reason: "failed", cause };
  }
}
