import { expect, it } from "vitest";
import { ask, post } from "../../server/fixtures/raw-http";
import { MOST_WAITS } from "../../server/load/dependency-waits";
import { createRegistrationToken, getFcmEnvironment } from "../factories/firebase";
import { postDevice } from "../factories/push-network";
import { startGoogle } from "../fakes/google";
import { startPlatform } from "../fakes/platform";
import { startSmtpServer } from "../fakes/smtp-server";
import { removeAfterTest } from "../fixture";
import { logIn, startServer, type ServerProcess } from "../server-process";
import { promisedMs } from "../sizes";
import { waitUntil } from "../wait-until";
import { bearer, makeToken } from "./made-tokens";
import { lockDatabase } from "./use-server";
import { BEHIND_A_PROXY, logLines, measureMs, SIGNED_UP, someone, stampOfAPerson } from "./visitors";

/** Requests that wait, more than the places for running requests. */
const WAITING = 30;

/** Requests a page as new visitors do, while others wait. @returns the longest time that one took. */
async function getSlowestPageMs(server: ServerProcess): Promise<number> {
  let slowest = 0;
  for (let visitor = 0; visitor < 5; visitor += 1) {
    const ms = await measureMs(async () => {
      expect((await ask(server.port, "GET /early-access", someone())).status).toBe(200);
    });
    slowest = Math.max(slowest, ms);
  }
  return slowest;
}

/** Expects that a page takes at most 100 ms longer than without the requests that wait (the control). */
async function expectNoDelay(server: ServerProcess, controlMs: number): Promise<void> {
  // Until they wait, which takes a processor some milliseconds for each.
  await getSlowestPageMs(server);
  expect(await getSlowestPageMs(server)).toBeLessThan(controlMs + promisedMs(100));
}

// C46
it("emails that wait for the mail server delay no page", async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const smtp = removeAfterTest(await startSmtpServer({ answer: () => ({ after: answered }) }));
  const server = removeAfterTest(await startServer({ ...BEHIND_A_PROXY, ...smtp.environment }));
  const cookie = await logIn(server);
  const token = await makeToken(server, cookie, { scopes: ["email:send"] });
  await getSlowestPageMs(server);
  const controlMs = await getSlowestPageMs(server);

  const send = async (index: number) => {
    const headers = { ...bearer(token), "Content-Type": "application/json", ...someone() };
    const email = JSON.stringify({
      ToEmail: `ada-${index}@example.com`,
      Subject: "Hello",
      Content: "<p>Hi</p>",
    });
    return (await post(server.port, "/api/Email/send-email", email, headers)).status;
  };
  const emails = Array.from({ length: 8 }, (_, index) => send(index));
  await waitUntil(() => smtp.rcptTo.length > 0);
  await expectNoDelay(server, controlMs);
  answer();
  expect(await Promise.all(emails)).toEqual(Array(8).fill(200));
});

// C46
it("signups that wait for a locked database delay no page", async () => {
  const server = removeAfterTest(await startServer(BEHIND_A_PROXY));
  const stamp = await stampOfAPerson(server);
  await getSlowestPageMs(server);
  const controlMs = await getSlowestPageMs(server);
  const unlock = lockDatabase(server);
  const signups = Array.from({ length: WAITING }, (_, index) => {
    const form = { stamp, name: "Ada", email: `person-${index}@example.com` };
    return post(server.port, "/early-access", String(new URLSearchParams(form)), someone());
  });
  await expectNoDelay(server, controlMs);
  unlock();
  const locations = (await Promise.all(signups)).map(({ headers }) => headers.location);
  expect(locations).toEqual(Array(WAITING).fill(SIGNED_UP));
});

// C46, R55
it("calls that wait for the platform delay no page, and too many get 503", async () => {
  const platform = removeAfterTest(await startPlatform());
  const server = removeAfterTest(
    await startServer({ ...BEHIND_A_PROXY, ...platform.environment, LOGS_DRIVER: "platform" }),
  );
  const token = await makeToken(server, await logIn(server), { scopes: ["logs:read"] });
  await getSlowestPageMs(server);
  const controlMs = await getSlowestPageMs(server);
  platform.failRequest = () => "slow";
  const calls = Array.from({ length: MOST_WAITS.platform + 5 }, () =>
    ask(server.port, "GET /api/logger", { ...bearer(token), ...someone() }),
  );
  await waitUntil(() => platform.requests.length > 0);
  await expectNoDelay(server, controlMs);
  const answers = await Promise.all(calls);
  const codes = answers.map(({ body }) => /"code":"(\w+)"/.exec(body)?.[1]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers.every(({ headers }) => Number(headers["retry-after"]) > 0)).toBe(true);
  expect([codes.filter((code) => code === "busy").length, new Set(codes)]).toEqual([
    5,
    new Set(["busy", "log_unavailable"]),
  ]);
  expect(logLines(server).filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

// C46, C51
it("registrations delay no page while Google's certificates are away, and log once", async () => {
  const google = removeAfterTest(await startGoogle());
  google.setResponse("www.googleapis.com", "silent");
  const server = removeAfterTest(await startServer({ ...BEHIND_A_PROXY, ...getFcmEnvironment(google) }));
  await getSlowestPageMs(server);
  const controlMs = await getSlowestPageMs(server);
  const register = () =>
    postDevice(server, google.idToken(), { token: createRegistrationToken(), userId: "ada" }, someone());
  const registrations = Array.from({ length: 8 }, register);
  await expectNoDelay(server, controlMs);
  const answers = await Promise.all(registrations);
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(503));
  expect(await answers[0]?.json()).toMatchObject({ code: "visitors_unavailable" });
  google.setResponse("www.googleapis.com", undefined);
  expect((await register()).status).toBe(200);
  const lines = logLines(server).filter(({ msg }) => String(msg).startsWith("visitors who register devices"));
  expect(lines.map(({ level }) => level)).toEqual([50, 30]);
});
