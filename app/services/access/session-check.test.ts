import { expect, test } from "vitest";
import { seconds } from "~/lib/durations";
import { createPendingLoginCookie, createSessionCookie } from "./session-cookie.server";
import { createSessionCheck } from "./session-check.server";

const SETTINGS = { secret: "a secret of the tests", secure: false };

async function setUp() {
  const cookie = createSessionCookie(SETTINGS);
  const alive = new Set(["living"]);
  let now = 0;
  let lookups = 0;
  const isSessionAlive = createSessionCheck({
    cookie,
    sessions: {
      isAlive: async (id) => {
        lookups += 1;
        if (id === "broken") throw new Error("the database is away");
        return alive.has(id);
      },
    },
    clock: () => now,
  });
  const toHeader = async (value: string) => (await cookie.issue(value)).split(";")[0] ?? "";
  return {
    alive,
    isSessionAlive: async (value: string) => isSessionAlive(await toHeader(value)),
    isHeaderAlive: isSessionAlive,
    forward: (ms: number) => void (now += ms),
    countLookups: () => lookups,
  };
}

test("only a session that has not ended is alive (C47)", async () => {
  const { isSessionAlive, isHeaderAlive } = await setUp();
  expect(await isSessionAlive("living")).toBe(true);
  expect(await isSessionAlive("ended")).toBe(false);
  expect(await isSessionAlive("broken")).toBe(false);
  expect(await isHeaderAlive("sid=ImxpdmluZyI%3D.forged")).toBe(false);
  expect(await isHeaderAlive("")).toBe(false);
});

test("a result is remembered for five seconds (C47)", async () => {
  const { alive, isSessionAlive, forward, countLookups } = await setUp();
  expect([await isSessionAlive("living"), await isSessionAlive("living")]).toEqual([true, true]);
  expect(countLookups()).toBe(1);
  alive.delete("living");
  forward(seconds(5) - 1);
  expect(await isSessionAlive("living")).toBe(true);
  forward(1);
  expect(await isSessionAlive("living")).toBe(false);
});

test("a clock that is set back remembers nothing for longer (C47)", async () => {
  const { alive, isSessionAlive, forward } = await setUp();
  expect(await isSessionAlive("living")).toBe(true);
  alive.delete("living");
  forward(-seconds(60));
  expect(await isSessionAlive("living")).toBe(false);
});

test("the cookie of a pending login is not one of a session, whatever its name (C47)", async () => {
  const pending = (await createPendingLoginCookie(SETTINGS).issue("living")).split(";")[0] ?? "";
  const { isHeaderAlive } = await setUp();
  expect(await isHeaderAlive(pending.replace(/^login=/, "sid="))).toBe(false);
});
