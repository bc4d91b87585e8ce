import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Registry } from "prom-client";
import { within } from "../../app/lib/within.ts";
import { plain, type PlainResponse } from "../response/plain-response.ts";

/** The application's metrics come from the database; after this time a scrape gets the guard's own without them. */
const REFRESH_TIMEOUT_MS = 1000;

const TEXT = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export type MetricsEndpoint = ReturnType<typeof createMetricsEndpoint>;

/** Answers GET /metrics with the token METRICS_TOKEN; everything else is a 404, as is all without a token. */
export function createMetricsEndpoint(
  registry: Registry,
  token: string | undefined,
  timeoutMs = REFRESH_TIMEOUT_MS,
) {
  let refresh = async (): Promise<void> => undefined;
  let refreshing: Promise<void> | undefined;
  const expected = token === undefined ? undefined : toDigest(token);

  function mayRead(authorization = ""): boolean {
    const sent = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    // Digests have one length, and reveal nothing of how much of the token was right.
    return expected !== undefined && sent !== undefined && timingSafeEqual(toDigest(sent), expected);
  }

  async function scrape(accept: string): Promise<PlainResponse> {
    // Concurrent scrapes share one refresh, so the database is queried once at a time.
    refreshing ??= refresh().finally(() => (refreshing = undefined));
    // Also after a failure: a scrape returns what is available.
    await within(
      timeoutMs,
      refreshing.catch(() => undefined),
    );
    const text = await registry.metrics();
    const isOpen = accept.toLowerCase().includes("application/openmetrics-text");
    const response = plain(200, isOpen ? toOpenMetrics(text) : text);
    return { ...response, contentType: isOpen ? OPEN_METRICS : TEXT };
  }

  return {
    /** Registers what updates the application's metrics before each scrape. */
    beforeScrape: (work: () => Promise<void>): void => void (refresh = work),

    /** @returns undefined when the path is not /metrics. */
    answer(
      path: string,
      { authorization, accept = "" }: IncomingHttpHeaders,
    ): PlainResponse | Promise<PlainResponse> | undefined {
      if (path !== "/metrics") return undefined;
      return mayRead(authorization) ? scrape(accept) : plain(404, "There is nothing here.");
    },
  };
}

const toDigest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Converts metrics to OpenMetrics 1.0: a counter's family is named without `_total`, no line is empty, and an EOF
 * marker ends the text. prom-client's own writer renames the counters permanently, so the other format would lose
 * them.
 */
function toOpenMetrics(text: string): string {
  const lines = text.replace(/\n{2,}/g, "\n");
  const counters = [...lines.matchAll(/^# TYPE (\S+)_total counter$/gm)].map(([, name = ""]) => name);
  const families = new Set(counters);
  const named = lines.replace(/^(# (?:HELP|TYPE) )(\S+)_total /gm, (line, begin: string, name: string) =>
    families.has(name) ? `${begin}${name} ` : line,
  );
  return `${named}# EOF\n`;
}
