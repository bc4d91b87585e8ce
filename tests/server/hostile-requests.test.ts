import { describe, expect, it } from "vitest";
import { open, readAll } from "../../server/fixtures/raw-http";
import { testDatabase } from "../databases";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { createRandom } from "../seeded-random";
import { chooseSize, isFullSize } from "../sizes";
import { malformedRequest } from "./malformed-requests";
import { getSampleValue, METRICS, scrape } from "../exposition";
import { sharedServer } from "./shared-server";
import { freshStamp, someone } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

const SEED = 20_261_121;
const REQUESTS = 10_000;
const AT_ONCE = 25;
/** Time for an answer, and for a server that waits for the rest of a request. */
const ANSWER_MS = 300;
const LEAVE_MS = 3000;

// R13
it.runIf(isFullSize)(`of ${REQUESTS} malformed requests none is answered 5xx`, async () => {
  const server = await sharedServer();
  const { pid } = server;
  const cookie = await logIn(server, undefined, someone());
  const stamp = await freshStamp(server);
  const random = createRandom(SEED);
  const requests = Array.from({ length: REQUESTS }, () => malformedRequest(random, { cookie, stamp }));
  const failed: string[] = [];
  const answered = new Map<string, number>();

  const worker = async () => {
    for (let bytes = requests.pop(); bytes !== undefined; bytes = requests.pop()) {
      const statuses = await readStatuses(server.port, bytes);
      for (const status of statuses) answered.set(status, (answered.get(status) ?? 0) + 1);
      if (statuses.some((status) => status.startsWith("5"))) failed.push(bytes.slice(0, 2000));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));

  expect(failed).toEqual([]);
  // Else the generator would prove nothing.
  for (const status of ["200", "303", "400", "403", "404", "405", "411", "413", "415", "422", "431"])
    expect([status, answered.get(status) ?? 0]).not.toEqual([status, 0]);
  expect(server.pid).toBe(pid);
  expect((await server.fetch("/readyz")).status).toBe(200);
  expect(server.output()).not.toMatch(/unhandled rejection|uncaught exception|could not be handled/);
});

/**
 * Returns the status of every answer. Ends the connection only after a while: Node answers nobody who has stopped
 * writing while the response is being made.
 */
async function readStatuses(port: number, bytes: string): Promise<string[]> {
  const socket = await open(port);
  const text = readAll(socket);
  socket.write(Buffer.from(bytes, "latin1"));
  const finish = setTimeout(() => socket.end(), ANSWER_MS);
  const leave = setTimeout(() => socket.destroy(), LEAVE_MS);
  const answers = await text;
  clearTimeout(finish);
  clearTimeout(leave);
  return [...answers.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => match[1] ?? "");
}

// R13
describe("text that a database does not take", () => {
  const place = useFixture(() => testDatabase("postgres"));
  const server = useServer(() => ({ ...place.environment }));
  const superadmin = useSuperadmin(server);

  it.each<[string, Record<string, string>]>([
    ["/login", { email: "a\0@example.com", password: "x" }],
    ["/login", { email: "a@example.com", password: "\0" }],
    ["/early-access", { name: "A\0", email: "a\0@example.com", stamp: "\0", website: "\0" }],
    [
      "/admin/password-reset",
      { currentPassword: "\0", newPassword: "abcdef\0", confirmPassword: "abcdef\0" },
    ],
    ["/admin/dashboard", { intent: "edit", audience: "early-access", draft: "\0" }],
    ["/admin/dashboard", { intent: "confirm", draft: "\0", content: "\0", through: "\0", counted: "\0" }],
    ["/admin/dashboard", { intent: "preview", audience: "\0", title: "\0", message: "\0" }],
    ["/admin/outreach/x", { intent: "\0", decision: "\0" }],
  ])("a NUL in a form for %s is no 5xx on PostgreSQL", async (path, fields) => {
    const answer =
      path === "/login" ? server.fetch(path, formPost(fields, someone())) : superadmin.post(path, fields);
    expect((await answer).status).toBeLessThan(500);
  });
});

// R17
describe("URLs that are slow to match", () => {
  const many = (part: string, length: number) =>
    part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const slow: [string, string][] = [
    ["the longest list for Remix's manifest", `/__manifest?version=x&p=${many("%2Fa&p=", 2000)}`],
    ["a list too long for it", `/__manifest?version=x&p=${many("/a&p=", 12_000)}`],
    ["a path of dots", `/${many("../", 2000)}`],
    ["a path of slashes", many("/", 2040)],
    ["a path of encoded slashes", `/${many("%2F", 2000)}`],
    ["a path of many segments", many("/a", 2040)],
    ["a query of many names", `/login?${many("a[]=&", 2000)}`],
    ["a list of routes", `/login.data?_routes=${many("routes/login,", 2000)}`],
    ["an address of two kilobytes and more", `/${many("a", 2100)}`],
    ["an address of twelve kilobytes", `/${many("a", 12_000)}`],
  ];

  const ROUNDS = 8;

  it.each(slow)("%s costs the server less than 50 ms of its processor", async (_, path) => {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const statuses = new Set<string>();
    const ask = async () => (await readStatuses(shared.port, bytes)).forEach((one) => statuses.add(one));
    // The first one of a kind is compiled.
    await ask();
    const before = await processorSeconds(shared);
    for (let round = 0; round < ROUNDS; round += 1) await ask();
    const each = (1000 * ((await processorSeconds(shared)) - before)) / ROUNDS;
    expect([...statuses].filter((status) => status.startsWith("5"))).toEqual([]);
    if (path.length > 2048) expect([...statuses]).toEqual(["414"]);
    // The manifest of Remix 2.17.5 took 684 ms.
    expect(each).toBeLessThan(chooseSize({ daily: 250, full: 50 }));
  });

  it("Remix's manifest is not served at all", async () => {
    const answer = await shared.fetch("/__manifest?version=x&p=%2F");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("X-Remix-Manifest")).toBeNull();
  });

  const shared = useServer(METRICS);
});

/** Returns the processor time of the server since its start. */
async function processorSeconds(server: ServerProcess): Promise<number> {
  return getSampleValue(await scrape(server), "process_cpu_seconds_total") ?? NaN;
}
