import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Registry } from "prom-client";
import { within } from "../../app/lib/within.ts";
import { plain, type PlainResponse } from "../response/plain-response.ts";

/** The application's numbers come from the database; without them the guard's own are told. */
export const REFRESH_TIMEOUT_MS = 1000;

const TEXT = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export interface MetricsEndpoint {
  /** The application says how it brings its numbers up to date before each scrape. */
  beforeScrape(refresh: () => Promise<void>): void;
  /** @returns undefined when the path is another one. */
  answer(path: string, headers: IncomingHttpHeaders): PlainResponse | Promise<PlainResponse> | undefined;
}

/**
 * GET /metrics, for whoever has the token. To everybody else, and to everybody while there is none, nothing is there.
 * @param token METRICS_TOKEN.
 */
export function createMetricsEndpoint(
  registry: Registry,
  token: string | undefined,
  timeoutMs = REFRESH_TIMEOUT_MS,
): MetricsEndpoint {
  let refresh = async (): Promise<void> => undefined;
  let refreshing: Promise<void> | undefined;
  const expected = token === undefined ? undefined : toDigest(token);

  function mayRead(authorization = ""): boolean {
    const given = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    // Digests are of one length, and tell nothing of how much of the token was right.
    return expected !== undefined && given !== undefined && timingSafeEqual(toDigest(given), expected);
  }

  async function scrape(accept: string): Promise<PlainResponse> {
    // However many ask at once, the database is asked once at a time.
    refreshing ??= refresh().finally(() => (refreshing = undefined));
    // Whatever became of it: a scrape says what it can.
    await within(
      timeoutMs,
      refreshing.catch(() => undefined),
    );
    const text = await registry.metrics();
    const isOpen = accept.toLowerCase().includes("application/openmetrics-text");
    return {
      ...plain(200, isOpen ? toOpenMetrics(text) : text),
      contentType: isOpen ? OPEN_METRICS : TEXT,
    };
  }

  return {
    beforeScrape: (given) => void (refresh = given),
    answer(path, { authorization, accept = "" }) {
      if (path !== "/metrics") return undefined;
      return mayRead(authorization) ? scrape(accept) : plain(404, "There is nothing here.");
    },
  };
}

const toDigest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * The same numbers in OpenMetrics 1.0: a counter's family is named without `_total`, no line is empty, and the end is said.
 * prom-client's own writer renames the counters for good, and the other format would lose them.
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
