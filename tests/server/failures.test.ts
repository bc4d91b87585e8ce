import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { administer, databaseUrl, testDatabase } from "../databases";
import { removeAfterTest, useFixture } from "../fixture";
import { startSilencingProxyTo } from "../fakes/silencing-proxy";
import { formPost, logIn, startServer, type ServerProcess } from "../server-process";
import { isFullSize, promisedMs } from "../sizes";
import { temporaryFolder } from "../temporary-folder";
import { waitUntil } from "../wait-until";
import { getRedirect } from "./operators";
import { watchHealth } from "./health-watch";
import { createSession, readText, type Session } from "./session";
import { sharedServer } from "./shared-server";
import { lockDatabase, useServer } from "./use-server";
import {
  BEHIND_A_PROXY,
  databaseFile,
  quantile,
  readRows,
  SIGNED_UP,
  signUp,
  someone,
  stampOfAPerson,
  submit,
  measureMs,
} from "./visitors";

const MIB = 1_048_576;
/** Between the pages of one visitor. */
const BETWEEN_PAGES_MS = 50;
const PATIENCE_MS = 40_000;
const MONITOR = "/admin/resouces-monitor";
const FAILURE = "Something went wrong. Please try again.";

let people = 0;
const newEmail = () => `person-${++people}@example.com`;

// R6
describe("a full disk", () => {
  const isOurs = canMount();
  let server: ServerProcess;
  let folder: string;
  let stamp: string;

  /** Starts a server with its data on a disk of this size, and stores one signup. */
  async function startOnSmallDisk(mebibytes: number, MIN_FREE_DISK_MB: string): Promise<void> {
    folder = mountSmallDisk(mebibytes);
    server = await startServer({ ...BEHIND_A_PROXY, DATA_DIR: folder, MIN_FREE_DISK_MB });
    stamp = await stampOfAPerson(server);
    expect((await send()).answer.status).toBe(303);
  }
  async function removeAll(): Promise<void> {
    await server.remove();
    unmount(folder);
  }
  const send = async () => {
    const email = newEmail();
    return { email, answer: await signUp(server, { stamp, email, name: "Ada <&> Byron" }, someone()) };
  };

  describe.runIf(isOurs)("without a free block", () => {
    let headers: { Cookie: string };
    let ballast: string;
    beforeAll(async () => {
      await startOnSmallDisk(2, "0");
      headers = { Cookie: await logIn(server) };
    });
    afterAll(removeAll);
    /** Once the server could store nothing more. */
    beforeEach(async () => {
      ballast = fillDisk(folder);
      // SQLite's log may have had some room left in it.
      await waitUntil(async () => (await send()).answer.status !== 303);
    });
    afterEach(() => rmSync(ballast, { force: true }));

    it("fails a signup, which keeps its values, and pages are still served", async () => {
      const refused = await send();
      const html = await readText(refused.answer, 503);
      expect(html).toContain(FAILURE);
      expect(html).toContain('value="Ada &lt;&amp;&gt; Byron"');
      expect(html).toContain(`value="${refused.email}"`);
      expect(readRows(server, "select id from submissions where email = ?", refused.email)).toEqual([]);
      for (const path of ["/admin/dashboard", "/", "/early-access", "/healthz"]) {
        expect([path, (await server.fetch(path, { headers })).status]).toEqual([path, 200]);
      }
    });

    // R31
    it("makes /readyz 503, because nothing can be written", async () => {
      // Its write is smaller than a signup's: each that fits takes of what SQLite's log has left.
      await waitUntil(async () => (await server.fetch("/readyz")).status !== 200);
      expect(await readiness(server)).toEqual([503, "database-full"]);
    });

    it("recovers once there is space, without a restart", async () => {
      const { pid } = server;
      rmSync(ballast);
      const { answer, email } = await send();
      expect(getRedirect(answer)).toEqual([303, SIGNED_UP]);
      expect(readRows(server, "select id from submissions where email = ?", email)).toHaveLength(1);
      expect(readRows(server, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
      expect([server.pid, (await server.fetch("/readyz")).status]).toEqual([pid, 200]);
    });
  });

  describe.runIf(isOurs)("with a reserve", () => {
    beforeAll(() => startOnSmallDisk(48, "4"));
    afterAll(removeAll);
    const reserve = () => join(folder, "disk-reserve");

    // R31
    it("makes /readyz 503 while signups are still stored", async () => {
      await waitUntil(() => existsSync(reserve()));
      // Fills the disk down to 2 of the 4 MiB that must stay free.
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(join(folder, "other"), Buffer.alloc(bavail * bsize - 2 * MIB));
      expect(await readiness(server)).toEqual([503, "disk-low"]);
      expect((await send()).answer.status).toBe(303);
      rmSync(join(folder, "other"));
      expect(await readiness(server)).toEqual([200, "ready"]);
    });

    // R50
    it("is what Resources and the status bar report as well", async () => {
      const cookie = await logIn(server);
      const session = createSession(server, () => cookie);
      const isReady = await readScreens(session);
      expect(isReady.join()).not.toContain("Not ready");
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(join(folder, "other"), Buffer.alloc(bavail * bsize - 2 * MIB));
      expect(await readiness(server)).toEqual([503, "disk-low"]);
      const [resources, dashboard] = await readScreens(session);
      expect(resources).toMatch(/Infrastructure[^]{0,600}Warning/);
      expect(resources).toContain("Not ready (disk-low): less disk space is free than MIN_FREE_DISK_MB.");
      expect(dashboard).toContain("Not ready: disk-low");
      rmSync(join(folder, "other"));
      expect(await readiness(server)).toEqual([200, "ready"]);
      expect((await readScreens(session)).join()).not.toContain("Not ready");
    });

    // R50
    it("is released by the first write that fails, which is tried again", async () => {
      await server.fetch("/readyz");
      const cookie = await logIn(server);
      const ballast = fillDisk(folder);
      onTestFinished(() => rmSync(ballast));
      const statuses = new Set<number>();
      while (existsSync(reserve())) {
        const fields = { stamp, email: newEmail(), message: "A long message. ".repeat(300) };
        statuses.add((await submit(server, "/contact", fields)).status);
        await logIn(server, undefined, someone());
      }
      expect([...statuses]).toEqual([303]);
      await waitUntil(() => server.output().includes("the reserve was released"));
      // The space of the reserve counts as used, whether its file exists or not.
      expect(await getDiskUsage(createSession(server, () => cookie))).toBeGreaterThan(95);
    });

    it("releases the reserve, and reserves it again once there is space", async () => {
      await server.fetch("/readyz");
      await waitUntil(() => existsSync(reserve()));
      const ballast = fillDisk(folder);
      expect(await readiness(server)).toEqual([200, "ready"]);
      expect(existsSync(reserve())).toBe(false);
      await waitUntil(() => server.output().includes("the reserve was released"));
      expect((await send()).answer.status).toBe(303);

      rmSync(ballast);
      await server.fetch("/readyz");
      expect(statSync(reserve())).toMatchObject({ size: 32 * MIB, mode: 0o100600 });
    });
  });
});

// R7
it("a locked SQLite database delays no page", async () => {
  const server = await sharedServer();
  const stamp = await stampOfAPerson(server);
  const headers = { Cookie: await logIn(server) };
  const health = await watchHealth(server.port);

  const unlock = lockDatabase(server);
  let isAnswered = false;
  const signup = signUp(server, { stamp, email: newEmail() }, someone()).finally(() => (isAnswered = true));
  const release = Date.now() + 2000;
  const pages: number[] = [];
  while (Date.now() < release) {
    pages.push((await server.fetch("/admin/dashboard", { headers })).status);
    await pause(BETWEEN_PAGES_MS);
  }
  expect([isAnswered, ...new Set(pages)]).toEqual([false, 200]);
  // Waiting inside SQLite would hold the first one for the two seconds.
  expect(pages.length).toBeGreaterThan(2);
  unlock();

  expect(getRedirect(await signup)).toEqual([303, SIGNED_UP]);
  expect(readRows(server, "select id from submissions")).toHaveLength(1);
  const times = await health();
  expect(Math.max(...times)).toBeLessThan(promisedMs(1000));
  expect(quantile(times, 0.99)).toBeLessThan(promisedMs(100));
});

// R54
it("a SQLite file that was moved away takes no signups", async () => {
  const server = removeAfterTest(await startServer(BEHIND_A_PROXY));
  const stamp = await stampOfAPerson(server);
  const [file, away] = [databaseFile(server), `${databaseFile(server)}-away`];
  renameSync(file, away);
  const email = newEmail();
  const html = await readText(signUp(server, { stamp, email }, someone()), 503);
  expect(html).toContain(FAILURE);
  expect(html).toContain(`value="${email}"`);
  for (const _ of [1, 2]) expect(await readiness(server)).toEqual([503, "database-file-replaced"]);
  expect((await server.fetch("/healthz")).status).toBe(200);
  expect(server.output().split("this server is not ready")).toHaveLength(2);
  expect(server.output()).toContain(`${file} was removed, moved or replaced while this server had it open`);

  renameSync(away, file);
  expect(await readiness(server)).toEqual([200, "ready"]);
  expect((await signUp(server, { stamp, email }, someone())).status).toBe(303);
  expect(readRows(server, "select id from submissions")).toHaveLength(1);
});

// R31
it("PostgreSQL that closes its connections is used again", async () => {
  const place = removeAfterTest(await testDatabase("postgres"));
  const { DATA_DIR, DATABASE_URL = "" } = place.environment;
  const server = removeAfterTest(await startServer({ ...BEHIND_A_PROXY, DATA_DIR, DATABASE_URL }));
  const { pid } = server;
  const stamp = await stampOfAPerson(server);
  const headers = { Cookie: await logIn(server) };

  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const sendRequest = async () => {
    while (!isOver) {
      const email = newEmail();
      const [signup, page] = await Promise.all([
        signUp(server, { stamp, email }, someone()),
        server.fetch("/admin/dashboard", { headers }),
      ]);
      if (signup.status === 303) acknowledged.push(email);
      statuses.add(signup.status).add(page.status);
    }
  };
  const visitors = Promise.allSettled([sendRequest(), sendRequest(), sendRequest()]);
  onTestFinished(async () => {
    isOver = true;
    await visitors;
  });
  const works = async () => {
    const before = acknowledged.length;
    await waitUntil(() => acknowledged.length > before);
  };

  for (const _ of [1, 2, 3]) {
    await works();
    await cutConnections(DATABASE_URL);
  }
  await works();
  await setAllowed(DATABASE_URL, false);
  await cutConnections(DATABASE_URL);
  const readiness = await measureMs(async () => expect((await server.fetch("/readyz")).status).toBe(503));
  expect(readiness).toBeLessThan(promisedMs(1000));
  expect((await server.fetch("/healthz")).status).toBe(200);
  expect((await signUp(server, { stamp, email: newEmail() }, someone())).status).toBe(503);
  const login = { email: "superadmin@example.com", password: "any" };
  const refused = await readText(server.fetch("/login", formPost(login, someone())), 503);
  expect(refused).toContain(">Login failed. Please try again.<");
  await setAllowed(DATABASE_URL, true);
  await works();
  isOver = true;
  const ends = await visitors;

  expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
  expect([...statuses].filter((status) => ![200, 303, 500, 503].includes(status))).toEqual([]);
  expect((await server.fetch("/admin/dashboard", { headers })).status).toBe(200);
  expect((await server.fetch("/readyz")).status).toBe(200);
  const rows = await administer(DATABASE_URL, "select email from submissions");
  const stored = new Set(rows.map(({ email }) => email));
  expect(acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  expect(server.pid).toBe(pid);
  expect(server.output()).not.toMatch(/unhandled rejection|uncaught exception/);
});

// R34
describe.runIf(isFullSize)("PostgreSQL that stops responding", () => {
  /** A server that has stored a signup, with connections at rest that go through a proxy. */
  const place = useFixture(() => testDatabase("postgres"));
  const proxy = useFixture(() => startSilencingProxyTo(place.environment.DATABASE_URL ?? ""));
  const server = useServer(() => ({ ...place.environment, DATABASE_URL: proxy.url }));
  let stamp: string;
  let pid: number;
  beforeAll(async () => {
    stamp = await stampOfAPerson(server);
    ({ pid } = server);
  });
  beforeEach(async () => {
    await becomes(200, PATIENCE_MS);
    expect((await send(newEmail())).status).toBe(303);
  });
  afterEach(() => {
    proxy.restore();
    expect(server.pid).toBe(pid);
    expect(server.output()).not.toMatch(/unhandled rejection|uncaught exception/);
  });

  const send = (email: string) => signUp(server, { stamp, email }, someone());
  const becomes = (status: number, timeout: number) =>
    vi.waitUntil(async () => (await server.fetch("/readyz")).status === status, { timeout });
  const stored = async (email: string) =>
    (await administer(place.environment.DATABASE_URL!, `select id from submissions where email = '${email}'`))
      .length;

  it("on existing connections is detected and replaced by new connections within 10 s", async () => {
    proxy.silence({ newConnections: "pass" });
    const fell = performance.now();
    await becomes(503, promisedMs(3000));
    expect((await server.fetch("/healthz")).status).toBe(200);
    await becomes(200, PATIENCE_MS);
    const email = newEmail();
    expect((await send(email)).status).toBe(303);
    expect(performance.now() - fell).toBeLessThan(promisedMs(10_000));
    expect(await stored(email)).toBe(1);
  });

  it("without probes fails a signup within 10 s, and the repeated one is stored once", async () => {
    proxy.silence({ newConnections: "pass" });
    const email = newEmail();
    const failure = await measureMs(async () => expect((await send(email)).status).toBe(503));
    expect(failure).toBeLessThan(promisedMs(10_000));
    expect((await send(email)).status).toBe(303);
    expect(await stored(email)).toBe(1);
  });

  it("on new connections too fails signups, and recovers in 10 s", async () => {
    proxy.silence({ newConnections: "swallowed" });
    await becomes(503, promisedMs(3000));
    const email = newEmail();
    const html = await readText(send(email), 503);
    expect(html).toContain(FAILURE);
    expect(html).toContain(`value="${email}"`);
    proxy.restore();
    await becomes(200, promisedMs(10_000));
    expect((await send(email)).status).toBe(303);
    expect(await stored(email)).toBe(1);
  });
});

/** Reads System Resources, measured now, and the dashboard. */
async function readScreens({ post, read }: Session): Promise<string[]> {
  await post(MONITOR, { intent: "check" });
  return [await read(MONITOR), await read("/admin/dashboard")];
}

async function getDiskUsage(session: Session): Promise<number> {
  const [resources = ""] = await readScreens(session);
  const [, percentage] = /Disk Usage<[^]*?(\d+\.\d) %/.exec(resources) ?? [];
  return Number(percentage);
}

async function readiness(server: ServerProcess): Promise<[status: number, text: string]> {
  // Requests at the same time share a check, so that this answer may be of one that began before the test's change.
  await server.fetch("/readyz");
  const answer = await server.fetch("/readyz");
  return [answer.status, await answer.text()];
}

const getName = (url: string) => new URL(url).pathname.slice(1);

/** In the database that every cluster has, like the next one. */
const cutConnections = (url: string) =>
  administer(
    databaseUrl(url, "postgres"),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${getName(url)}'`,
  );

const setAllowed = (url: string, allowed: boolean) =>
  administer(
    databaseUrl(url, "postgres"),
    `alter database ${getName(url)} with allow_connections ${allowed}`,
  );

/** Returns whether this process may mount a tmpfs. */
function canMount(): boolean {
  try {
    unmount(mountSmallDisk(1));
    return true;
  } catch {
    process.stdout.write("Without the permission to mount a tmpfs a full disk is not tested.\n");
    return false;
  }
}

function mountSmallDisk(mebibytes: number): string {
  const folder = temporaryFolder();
  const options = `size=${mebibytes}m,mode=700`;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

function unmount(folder: string): void {
  execFileSync("umount", [folder]);
  rmSync(folder, { recursive: true });
}

/** Writes until not one block is free. */
function fillDisk(folder: string): string {
  const path = join(folder, "ballast");
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch {
    closeSync(file);
  }
  expect(statfsSync(folder).bavail).toBe(0);
  return path;
}
