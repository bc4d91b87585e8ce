import { expect, test, vi } from "vitest";
import { days, hours, seconds } from "~/lib/durations";
import type { PendingLogin } from "~/services/second-factor/pending-logins.server";
import type { Sessions } from "~/services/sessions/sessions.server";
import { createSessionCheck } from "./session-check.server";
import {
  createLoginSessionStorage,
  createPendingLoginStorage,
  createSessionCookie,
} from "./session-storage.server";

const SETTINGS = { secret: "a secret of the tests", secure: false };
const SESSION = {
  lastSeenAt: 0,
  user: {
    sessionHandle: "h",
    accountId: "a",
    email: "ada@example.com",
    fullName: "Ada",
    role: "admin",
    passwordIsTemporary: false,
    hasSecondFactor: false,
    timeZone: "UTC",
    hasChosenTimeZone: false,
  },
} as const;

const PENDING: PendingLogin = {
  needsCode: true,
  accountId: "a",
  passwordFingerprint: "fingerprint",
  expiresAt: seconds(300),
};

async function setUp() {
  const cookie = createSessionCookie(SETTINGS);
  const alive = new Set(["living"]);
  let now = 0;
  let lookups = 0;
  const sessions: Pick<Sessions, "read"> = {
    read: async (id) => {
      lookups += 1;
      if (id === "broken") throw new Error("the database is away");
      if (id === "silent") return new Promise(() => undefined);
      return alive.has(id) ? SESSION : undefined;
    },
  };
  const isSessionAlive = createSessionCheck({
    cookie,
    sessionStorage: createLoginSessionStorage(cookie, sessions as Sessions),
    clock: () => now,
  });
  const toHeader = async (value: string) => (await cookie.serialize(value)).split(";")[0] ?? "";
  return {
    alive,
    isSessionAlive: async (value: string) => isSessionAlive(await toHeader(value)),
    isHeaderAlive: isSessionAlive,
    forward: (ms: number) => void (now += ms),
    countLookups: () => lookups,
  };
}

// C47
test("only a session that has not ended is alive", async () => {
  const { isSessionAlive, isHeaderAlive } = await setUp();
  expect(await isSessionAlive("living")).toBe(true);
  expect(await isSessionAlive("ended")).toBe(false);
  expect(await isSessionAlive("broken")).toBe(false);
  expect(await isHeaderAlive("sid=ImxpdmluZyI%3D.forged")).toBe(false);
  expect(await isHeaderAlive("")).toBe(false);
});

// C47
test("a result is remembered for five seconds", async () => {
  const { alive, isSessionAlive, forward, countLookups } = await setUp();
  expect([await isSessionAlive("living"), await isSessionAlive("living")]).toEqual([true, true]);
  expect(countLookups()).toBe(1);
  alive.delete("living");
  forward(seconds(5) - 1);
  expect(await isSessionAlive("living")).toBe(true);
  forward(1);
  expect(await isSessionAlive("living")).toBe(false);
});

// C47
test("a database that does not answer makes nobody wait for more than a second", async () => {
  const { isSessionAlive, countLookups } = await setUp();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const isAlive = isSessionAlive("silent");
    while (countLookups() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(seconds(1));
    expect(await isAlive).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

// C47
test("a thousand sessions are remembered at once", async () => {
  const { isSessionAlive, countLookups } = await setUp();
  const check = async (count: number) => {
    for (let id = 0; id < count; id += 1) await isSessionAlive(`session-${id}`);
  };
  await check(1000);
  await check(1000);
  expect(countLookups()).toBe(1000);
  await check(1001);
  await check(1);
  expect(countLookups(), "the next one forgets them").toBe(1002);
});

test("the cookie of a session outlives it by a day, that of a pending login by nothing", async () => {
  const cookie = await createSessionCookie(SETTINGS).serialize("living");
  expect(cookie).toContain(`; Max-Age=${(hours(12) + days(1)) / 1000};`);
  const storage = createPendingLoginStorage(SETTINGS);
  expect(await storage.commitSession(await storage.getSession())).toContain("; Max-Age=300;");
});

// C47
test("a clock that is set back remembers nothing for longer", async () => {
  const { alive, isSessionAlive, forward } = await setUp();
  expect(await isSessionAlive("living")).toBe(true);
  alive.delete("living");
  forward(-seconds(60));
  expect(await isSessionAlive("living")).toBe(false);
});

// C47
test("the cookie of a pending login is not one of a session, whatever its name", async () => {
  const { isHeaderAlive } = await setUp();
  const storage = createPendingLoginStorage(SETTINGS);
  const session = await storage.getSession();
  session.set("pendingLogin", PENDING);
  const pending = (await storage.commitSession(session)).split(";")[0] ?? "";
  expect((await storage.getSession(pending)).get("pendingLogin")).toEqual(PENDING);
  expect(await isHeaderAlive(pending.replace(/^login=/, "sid="))).toBe(false);
});

// C5
test("no pending login is read from a cookie that we did not sign", async () => {
  const storage = createPendingLoginStorage(SETTINGS);
  const payload = Buffer.from(JSON.stringify({ pendingLogin: PENDING })).toString("base64");
  const own = (await createSessionCookie(SETTINGS).serialize("living")).replace(/^sid=/, "login=");
  for (const forged of [`login=${payload}`, `login=${payload}.${"A".repeat(43)}`, own]) {
    expect((await storage.getSession(forged)).get("pendingLogin")).toBeUndefined();
  }
});
