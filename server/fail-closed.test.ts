import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:http";
import { pino } from "pino";
import { expect, test } from "vitest";
import { InFlightRequests } from "./lifecycle/in-flight-requests.ts";
import { listenInTest } from "./fixtures/listen-in-test.ts";
import { ask } from "./fixtures/raw-http.ts";
import { createGuard, type GuardDeps } from "./guard.ts";
import { createHealth } from "./lifecycle/health.ts";
import { ConcurrencyLimiter } from "./load/concurrency-limiter.ts";
import { DependencyWaits } from "./load/dependency-waits.ts";
import { BodyReceiver } from "./request/body-receiver.ts";
import { StaticFiles } from "./request/static-files.ts";

/** Asks a guard with one broken part, in front of an application that counts its requests. */
async function askBroken(broken: Partial<GuardDeps>, path = "/") {
  const logged: string[] = [];
  const guard = createGuard({
    readMs: 30_000,
    settings: { https: false, development: false, origin: undefined, trustedProxies: 0 },
    logger: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
    requestLog: { write: () => undefined },
    inFlightRequests: new InFlightRequests(),
    storage: new AsyncLocalStorage(),
    health: createHealth(() => false, pino({ enabled: false })),
    metrics: { answered: () => undefined, shed: () => undefined },
    metricsEndpoint: { answer: () => undefined },
    isDraining: () => false,
    mayReport: () => true,
    load: { limiter: new ConcurrencyLimiter(() => 0), waits: new DependencyWaits() },
    files: new StaticFiles([]),
    bodies: new BodyReceiver(),
    credentials: { hasSession: async () => false, hasToken: async () => false },
    newRequestId: () => "request-7",
    newNonce: () => "nonce",
    getOwnContext: () => undefined,
    getCachedResponse: () => undefined,
    ...broken,
  });
  let passed = 0;
  const server = createServer((request, response) =>
    guard(request, response, () => void (++passed, response.end("from the application"))),
  );
  const answer = await ask(await listenInTest(server), `GET ${path}`);
  return { answer, passed, logged };
}

const breaks = (): never => {
  throw new Error("a secret of the guard");
};

test.each<[string, Partial<GuardDeps>]>([
  ["request ids", { newRequestId: breaks }],
  ["the renderer's requests", { getOwnContext: breaks }],
  ["cached responses", { getCachedResponse: breaks }],
  ["cached responses, asynchronously", { getCachedResponse: () => Promise.reject(new Error("a secret")) }],
  ["nonces", { newNonce: breaks }],
  ["requests in flight", { inFlightRequests: { getConnection: breaks } as unknown as InFlightRequests }],
  ["health", { health: { answer: breaks } }],
  ["health, asynchronously", { health: { answer: () => Promise.reject(new Error("a secret")) } }],
  [
    "the concurrency limiter",
    { load: { limiter: { enter: breaks, return: breaks }, waits: new DependencyWaits() } },
  ],
  ["credentials", { credentials: { hasSession: breaks, hasToken: breaks } }],
  ["context", { storage: { run: breaks } as unknown as GuardDeps["storage"] }],
])("an error in %s is a 500 with the guard's headers", async (_, broken) => {
  const { answer, passed, logged } = await askBroken(broken);
  expect(passed).toBe(0);
  expect(answer.status).toBe(500);
  expect(answer.body).toBe("Something went wrong on our side. Please try again in a moment.");
  expect(answer.headers).toMatchObject({
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("secret");
});

test("an error under /api is a problem in JSON", async () => {
  const { answer } = await askBroken({ newNonce: breaks }, "/api/x");
  expect([answer.status, answer.headers["content-type"]]).toEqual([500, "application/problem+json"]);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "internal_error", instance: "urn:uuid:request-7" });
});

test("an error while headers are computed closes the connection", async () => {
  const { answer } = await askBroken({ isDraining: breaks });
  expect(answer.status).toBeNaN();
});
