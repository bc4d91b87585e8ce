import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../scripts/free-port.mjs";
import { testDatabase } from "../databases";
import { removeAfterTest } from "../fixture";
import { startServer, type ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, SIGNED_UP, signUp, someone, stampOfAPerson } from "../server/visitors";
import { waitUntil } from "../wait-until";

/** Each visitor opens the page and signs up: a hundred requests a second. */
const A_VISITOR_EVERY_MS = 20;
const VISITORS = 50;

// R21
it("a deploy behind a proxy that checks /readyz fails no request", async () => {
  const database = removeAfterTest(await testDatabase("postgres"));
  const settings = {
    ...BEHIND_A_PROXY,
    ...database.environment,
    SHUTDOWN_GRACE_SECONDS: "3",
  };
  const old = removeAfterTest(await startServer(settings));
  const proxy = removeAfterTest(await startProxy());
  await proxy.use(old);
  const stamp = await stampOfAPerson(old);

  const answers: Promise<string>[] = [];
  const sendRequest = async () => {
    const email = `person-${answers.length}@example.com`;
    const page = await proxy.fetch("/");
    await page.text();
    const answer = await signUp({ ...old, fetch: proxy.fetch }, { stamp, email }, someone());
    return `${page.status}, ${answer.status} ${answer.headers.get("Location") ?? ""}`;
  };
  const visiting = setInterval(
    () => answers.push(sendRequest().catch((error: Error) => error.message)),
    A_VISITOR_EVERY_MS,
  );
  onTestFinished(() => clearInterval(visiting));
  await waitUntil(() => answers.length > VISITORS);

  const fresh = removeAfterTest(await startServer(settings));
  await proxy.use(fresh);
  const before = answers.length;
  expect(await old.stop()).toBe(0);
  const meanwhile = answers.length - before;
  await waitUntil(() => answers.length > before + meanwhile + VISITORS);
  clearInterval(visiting);

  expect(meanwhile).toBeGreaterThan(VISITORS / 2);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([`200, 303 ${SIGNED_UP}`]));
  expect(proxy.served(old)).toBeGreaterThan(VISITORS);
  expect(proxy.served(fresh)).toBeGreaterThan(VISITORS);
});

/** A reverse proxy that checks /readyz of each server ten times a second and retries nothing. */
async function startProxy() {
  const ready = new Map<number, boolean>();
  const served = new Map<number, number>();
  let index = 0;
  const proxy = createServer((incoming, outgoing) => {
    const ports = [...ready].filter(([, isReady]) => isReady).map(([port]) => port);
    const port = ports[index++ % ports.length];
    if (port === undefined) return void outgoing.writeHead(502).end();
    served.set(port, (served.get(port) ?? 0) + 1);
    pass(port, incoming, outgoing);
  });
  const port = await freePort();
  await new Promise<void>((listening) => proxy.listen(port, "127.0.0.1", listening));
  let isOpen = true;
  const ask = async (server: ServerProcess) =>
    ready.set(server.port, (await server.fetch("/readyz").catch(() => undefined))?.status === 200);
  const watch = async (server: ServerProcess) => {
    for (; isOpen; await pause(100)) await ask(server);
  };
  return {
    /** Watches a server; resolves once it is ready, which a deploy waits for before it stops another. */
    use: async (server: ServerProcess) => {
      void watch(server);
      await waitUntil(() => ready.get(server.port));
    },
    served: (server: ServerProcess) => served.get(server.port) ?? 0,
    fetch: (path: string, init?: RequestInit) =>
      fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init }),
    close: () => {
      isOpen = false;
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

function pass(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const clientRequest = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  clientRequest.once("error", () => outgoing.writeHead(502).end());
  incoming.pipe(clientRequest);
}
