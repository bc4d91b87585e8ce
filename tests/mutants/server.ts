import type { Fault } from "./fault.ts";

/** Faults in the guard and the code around it. */
export const serverFaults: Readonly<Record<string, Fault>> = {
  "the application trusts X-Forwarded-Host": {
    file: "server/guard.ts",
    find: `delete request.headers["x-forwarded-host"];`,
  },
  "a body of exactly 64 KiB without a session is rejected": {
    file: "server/guard.ts",
    find: "length !== undefined && length > limit",
    replace: "length !== undefined && length >= limit",
  },
  "a second Host header is accepted": {
    file: "server/request/limits.ts",
    find: "if (count !== 1 ||",
    replace: "if (count < 1 ||",
  },
  "exactly 100 headers are rejected": {
    file: "server/request/limits.ts",
    find: "request.rawHeaders.length > 2 * MAX_HEADER_PAIRS",
    replace: "request.rawHeaders.length >= 2 * MAX_HEADER_PAIRS",
  },
  "one field more than the limit is accepted": {
    file: "server/request/count-fields.ts",
    find: 'hasMore(text, "&", most - 1)',
    replace: 'hasMore(text, "&", most)',
  },
  "an escaped quote ends a JSON string, so later fields are not counted": {
    file: "server/request/count-fields.ts",
    find: 'if (character === "\\\\") at += 1;\n      else if',
    replace: "if",
  },
  "a request from another subdomain may change data": {
    file: "server/request/cross-origin.ts",
    find: `facts.secFetchSite !== "same-origin" &&`,
    replace: `!facts.secFetchSite.startsWith("same-") &&`,
  },
  "another port of our host is accepted": {
    file: "server/request/host.ts",
    find: "normalisedHost(host, ours.protocol) === ours.host;",
    replace: 'normalisedHost(host, ours.protocol)?.split(":")[0] === ours.hostname;',
  },
  "the client address is the first of X-Forwarded-For, which a visitor can forge": {
    file: "server/request/client-address.ts",
    find: ".at(-trustedProxies)",
    replace: ".at(0)",
  },
  "one request more than the limit runs at once": {
    file: "server/load/concurrency-limiter.ts",
    find: "if (this.#running >= PLACES[priority] &&",
    replace: "if (this.#running > PLACES[priority] &&",
  },
  "operators are shed before visitors": {
    file: "server/load/concurrency-limiter.ts",
    find: "PRIORITIES.toReversed()",
    replace: "PRIORITIES",
  },
  "a slow reader that still reads is disconnected": {
    file: "server/load/stalled-readers.ts",
    find: "before?.taken === taken ? before.since : now",
    replace: "before?.since ?? now",
  },
  "a network may send one body more than the limit at once": {
    file: "server/request/body-receiver.ts",
    find: "countBodies(own, network) >= NETWORK_BODIES",
    replace: "countBodies(own, network) > NETWORK_BODIES",
  },
  "a 304 response gets a policy with another nonce": {
    file: "server/response/response-headers.ts",
    find: "if (facts.status === 304) return undefined;",
  },
  "the data of a page may be cached": {
    file: "server/cache/cache-policy.ts",
    find: `path.endsWith(".data") ||`,
  },
  "each readiness probe queries the database": {
    file: "server/lifecycle/health.ts",
    find: "running ??= settle(probe)",
    replace: "running = settle(probe)",
  },
  "the token of a mistyped link is in the log": {
    file: "server/observability/path-redaction.ts",
    find: "decodeLeniently(segment).includes(name)",
    replace: "segment.includes(name)",
  },
  "the age of a cached page counts from the end of its rendering": {
    file: "server/cache/page-cache.ts",
    find: "this.#renderedAt = beganAt;",
    replace: "this.#renderedAt = this.#deps.now();",
  },
  "a queue of log lines that was full stays full": {
    file: "server/observability/line-queue.ts",
    find: "this.#held -= taken.reduce((sum, line) => sum + line.length, 0);",
  },
};
