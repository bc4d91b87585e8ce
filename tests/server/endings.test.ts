import { describe, expect, it, vi } from "vitest";
import { ask, open, parseAnswer, post, readAll } from "../../server/fixtures/raw-http";
import { removeAfterTest } from "../fixture";
import { logIn, startServer } from "../server-process";
import { isFullSize, promisedMs } from "../sizes";
import { waitUntil } from "../wait-until";
import { lockDatabase } from "./use-server";
import { BEHIND_A_PROXY, readRows, SIGNED_UP, signUp, someone, stampOfAPerson } from "./visitors";

// R21
describe("SIGTERM", () => {
  it("finishes twenty signups in flight, answers 503 meanwhile, and exits with 0", async () => {
    const server = removeAfterTest(await startServer(BEHIND_A_PROXY));
    const stamp = await stampOfAPerson(server);
    // Half a request has been sent, so this connection stays open when the server stops listening.
    const probe = await open(server.port);
    const probed = readAll(probe);
    probe.write("GET /readyz HTTP/1.1\r\nHost:");

    // So that all of them wait.
    const unlock = lockDatabase(server);
    const emails = Array.from({ length: 20 }, (_, index) => `person-${index}@example.com`);
    const form = (email: string) => String(new URLSearchParams({ stamp, name: "Ada", email }));
    const signups = emails.map((email) => post(server.port, "/early-access", form(email), someone()));
    // Requests before this one have been read once it is answered.
    await ask(server.port, "GET /healthz");
    const startedAt = performance.now();
    const exit = server.stop();
    await waitUntil(() => server.output().includes('"msg":"draining"'));
    probe.write(" localhost\r\n\r\n");
    expect(parseAnswer(await probed)).toMatchObject({ status: 503, body: "draining" });
    await expect(open(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    unlock();

    const answers = await Promise.all(signups);
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
      emails.map(() => [303, SIGNED_UP]),
    );
    expect(await exit).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(promisedMs(10_000));
    const stored = readRows(server, "select email from submissions").map(({ email }) => String(email));
    expect(stored.sort()).toEqual(emails.sort());
  });

  it("exits at once when nothing is in flight, and prints nothing but its log", async () => {
    const server = removeAfterTest(await startServer());
    const begun = server.output().length;
    for (const path of ["/", "/login", "/login.data"]) await (await server.fetch(path)).text();
    const startedAt = performance.now();
    expect(await server.stop()).toBe(0);
    // Stock remix-serve takes 5 s: its timers are never cleared.
    expect(performance.now() - startedAt).toBeLessThan(promisedMs(2500));
    const printed = server.output().slice(begun).trimEnd().split("\n");
    expect(printed.filter((line) => !line.startsWith("{"))).toEqual([]);
  });
});

// R29
it.runIf(isFullSize)("a process out of memory ends and is back within two seconds", async () => {
  // 48 MB are enough for one page at a time, not for a hundred.
  const server = removeAfterTest(
    await startServer({ ...BEHIND_A_PROXY, NODE_OPTIONS: "--max-old-space-size=48" }),
  );
  const stamp = await stampOfAPerson(server);
  const headers = { Cookie: await logIn(server, undefined, someone()) };
  const hasEnded = () => server.output().includes("JavaScript heap out of memory");
  const acknowledged: string[] = [];
  let sent = 0;
  const visitor = async () => {
    while (!hasEnded()) {
      const email = `person-${(sent += 1)}@example.com`;
      const answer = await signUp(server, { stamp, email }, someone()).catch(() => undefined);
      if (answer?.status === 303) acknowledged.push(email);
    }
  };
  const operator = async () => {
    while (!hasEnded()) await ask(server.port, "GET /admin/dashboard", headers).catch(() => undefined);
  };
  const visitors = Array.from({ length: 4 }, visitor);
  await vi.waitUntil(() => acknowledged.length > 0, { timeout: 30_000, interval: 5 });
  await Promise.all([...visitors, ...Array.from({ length: 100 }, operator)]);
  expect(await server.stop()).not.toBe(0);

  const endedAt = performance.now();
  await server.restart({ NODE_OPTIONS: "" });
  expect(performance.now() - endedAt).toBeLessThan(promisedMs(2000));
  const stored = readRows(server, "select email from submissions").map(({ email }) => String(email));
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((email) => !stored.includes(email))).toEqual([]);
  expect(readRows(server, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
});
