import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { hours, minutes, seconds } from "~/lib/durations";
import { UpstreamError } from "~/lib/upstream-error";
import { PlatformMailer } from "~/services/mail/drivers/platform-mailer.server";
import type { Mail } from "~/services/mail/mailer";
import { toResult } from "~/services/outreach/delivery-result";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { PlatformProbe } from "~/services/resources/drivers/platform-probe.server";
import { PlatformTenantDirectory } from "~/services/tenants/drivers/platform-tenant-directory.server";
import { createSystemResources } from "../factories/resources";
import { PLATFORM_TOKEN, startPlatform } from "../fakes/platform";
import type { FakePlatform, PlatformFailure } from "../fakes/platform";
import { findRefusedPort } from "../fakes/smtp-server";

const NOON = Date.UTC(2026, 10, 22, 12);

let platform: FakePlatform;
let now: number;
const closing: (() => void | Promise<void>)[] = [];
beforeEach(async () => {
  platform = await startPlatform();
  now = NOON;
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await platform.close();
});

function clientOf(differing: { url?: string; token?: string; timeoutMs?: number } = {}): PlatformClient {
  const client = new PlatformClient({
    url: platform.url,
    token: PLATFORM_TOKEN,
    clock: () => now,
    elapsed: () => now,
    ...differing,
  });
  closing.push(() => client.close());
  return client;
}
const everyCall = (trouble: PlatformFailure) => (platform.failRequest = () => trouble);

const check = { operation: "check", method: "POST", path: "/api/resourcemonitor/check" } as const;
const replySchema = z.object({ status: z.string() });
const failureOf = async (getRequest: Promise<unknown>): Promise<UpstreamError> => {
  const error = await getRequest.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof UpstreamError) return error;
  throw new Error("It was no UpstreamError", { cause: error });
};

describe("the platform's client", () => {
  it("asks with its token and gives the reply as it was parsed", async () => {
    const client = clientOf({ url: `${platform.url}/` });
    expect(await client.request(check, replySchema)).toEqual({ status: "ok" });
    expect(platform.requests).toEqual([{ method: "POST", path: check.path, body: undefined }]);
  });

  it.each<[string, PlatformFailure, Partial<UpstreamError>]>([
    ["a refusal", { status: 403, text: "not you" }, { status: 403, detail: "not you" }],
    ["too much", { status: 429, headers: { "Retry-After": "7" } }, { status: 429, retryAfterMs: seconds(7) }],
    ["a failure", { status: 500, text: "boom\n at Main()" }, { status: 500, detail: "boom at Main()" }],
    ["a redirect, which is not followed", { status: 302, headers: { Location: "/" } }, { status: 302 }],
    ["a cut after it was acted on", "cut", { status: undefined, handedOver: true }],
    ["a reply that breaks off", "cut-within-reply", { status: 200 }],
    ["no answer in time", "slow", { status: undefined, handedOver: true, detail: "no answer within 0.2 s" }],
    ["a page instead of JSON", "no-json", { status: 200, detail: "the reply is no JSON" }],
    ["another reply than documented", "other-json", { status: 200 }],
    ["a reply of 2 MB", "huge", { status: 200, detail: "the reply is longer than 1,048,576 bytes" }],
  ])("makes one error of %s", async (_what, trouble, expected) => {
    everyCall(trouble);
    const error = await failureOf(clientOf({ timeoutMs: 200 }).request(check, replySchema));
    expect(error).toMatchObject({ service: "platform", operation: "check", handedOver: true, ...expected });
    const isRefused = error.status !== undefined && error.status !== 200;
    expect(error.message.includes("Network response was not ok")).toBe(isRefused);
    expect(platform.requests).toHaveLength(1);
  });

  it("knows that nobody took what it could not hand over", async () => {
    const error = await failureOf(
      clientOf({ url: `http://127.0.0.1:${await findRefusedPort()}` }).send(check),
    );
    expect(error).toMatchObject({ status: undefined, handedOver: false });
    expect(error.detail).toContain("ECONNREFUSED");
  });

  it("never repeats its token", async () => {
    everyCall({ status: 400, text: `Bearer ${PLATFORM_TOKEN} is odd` });
    const error = await failureOf(clientOf().send(check));
    expect(error.detail).toBe("Bearer *** is odd");
    expect(error.message).not.toContain(PLATFORM_TOKEN);
  });

  it("is told that its token is wrong", async () => {
    expect(await failureOf(clientOf({ token: "another-token" }).send(check))).toMatchObject({ status: 401 });
    expect(platform.requests).toEqual([]);
  });

  it("leaves a platform alone for 30 seconds after five failures in a row; then one call tries", async () => {
    const client = clientOf();
    everyCall({ status: 503 });
    for (let call = 0; call < 5; call += 1) await failureOf(client.send(check));
    expect(await failureOf(client.send(check))).toMatchObject({ status: undefined, handedOver: false });
    expect(platform.requests).toHaveLength(5);
    now += seconds(30);
    const both = await Promise.all([failureOf(client.send(check)), failureOf(client.send(check))]);
    expect(both.map(({ status }) => status)).toEqual([503, undefined]);
    platform.failRequest = () => undefined;
    now += seconds(30);
    await client.send(check);
    await client.send(check);
    expect(platform.applied).toHaveLength(2);
  });

  it("takes a refusal for the answer of a platform that is there", async () => {
    const client = clientOf();
    everyCall({ status: 404 });
    for (let call = 0; call < 8; call += 1) await failureOf(client.send(check));
    expect(platform.requests).toHaveLength(8);
  });
});

const mail: Mail = {
  messageId: "<one@frontdesk.test>",
  from: { name: "The team", address: "team@frontdesk.test" },
  to: { name: "Ada", address: "ada@example.test" },
  subject: "News of the engine",
  text: "Dear Ada, it runs.",
  html: "<p>Dear Ada, <b>it runs</b>. Grüße 🙂</p>",
  headers: { "List-Unsubscribe": "<https://frontdesk.test/u>" },
};

describe("PlatformMailer", () => {
  it("hands over address, subject and HTML, and nothing else", async () => {
    expect(await new PlatformMailer(clientOf()).send(mail)).toEqual({
      kind: "accepted",
      detail: '{"message":"Email sent"}',
    });
    expect(platform.applied).toEqual([
      {
        method: "POST",
        path: "/api/Email/send-email",
        body: { ToEmail: "ada@example.test", Subject: mail.subject, Content: mail.html },
      },
    ]);
  });

  it.each<[string, PlatformFailure, string, number?]>([
    ["a page as the answer", "no-json", "accepted"],
    ["an answer that breaks off", "cut-within-reply", "accepted"],
    ["400", { status: 400 }, "refused", 400],
    ["a redirect", { status: 301 }, "refused", 301],
    ["401", { status: 401 }, "unauthorized"],
    ["403", { status: 403 }, "unauthorized"],
    ["408", { status: 408 }, "deferred", 408],
    ["425", { status: 425 }, "deferred", 425],
    ["429", { status: 429, headers: { "Retry-After": "60" } }, "deferred", 429],
    ["500", { status: 500 }, "deferred", 500],
    ["502", { status: 502 }, "unknown"],
    ["503", { status: 503 }, "deferred", 503],
    ["504", { status: 504 }, "unknown"],
    ["a cut", "cut", "unknown"],
    ["silence", "slow", "unknown"],
  ])("after %s the mail is asked for once and ends as it must (R32)", async (_what, trouble, kind, code) => {
    everyCall(trouble);
    const outcome = await new PlatformMailer(clientOf({ timeoutMs: 200 })).send(mail);
    expect(outcome).toMatchObject({ kind, ...(code && { code }) });
    expect(platform.requests).toHaveLength(1);
  });

  it("passes on for how long the platform wants to be left alone", async () => {
    everyCall({ status: 429, headers: { "Retry-After": "3600" } });
    const outcome = await new PlatformMailer(clientOf()).send(mail);
    const row = { attempts: 0, not_before: 0, detail: "" };
    expect(toResult(row, outcome, NOON)).toMatchObject({ state: "retrying", notBefore: NOON + hours(1) });
  });

  it("finds a platform that is not there unreachable", async () => {
    const mailer = new PlatformMailer(clientOf({ url: `http://127.0.0.1:${await findRefusedPort()}` }));
    expect(await mailer.send(mail)).toMatchObject({ kind: "unreachable" });
  });

  it.each<[string, Partial<Mail>]>([
    ["a line break in the subject", { subject: "Hi\r\nBcc: e@x.test" }],
    ["two addresses", { to: { name: "", address: "a@x.test, e@x.test" } }],
  ])("sends nothing with %s (C18)", async (_what, change) => {
    await expect(new PlatformMailer(clientOf()).send({ ...mail, ...change })).rejects.toThrow(TypeError);
    expect(platform.requests).toEqual([]);
  });

  it("cannot prove what it handed over", async () => {
    expect(await new PlatformMailer(clientOf()).knows()).toBeUndefined();
  });
});

describe("PlatformTenantDirectory", () => {
  const directory = () => new PlatformTenantDirectory({ client: clientOf(), clock: () => now });
  const ACME = { id: "7", name: "Acme", domain: "acme.example" };
  const ZED = { id: "zed", name: "Zed", domain: "" };

  it("gives them by name, and asks again after five minutes", async () => {
    const tenants = directory();
    expect(await Promise.all([tenants.list(), tenants.list()])).toEqual([
      [ACME, ZED],
      [ACME, ZED],
    ]);
    now += minutes(5) - 1;
    await tenants.list();
    expect(platform.requests).toHaveLength(1);
    platform.tenants = [];
    now += 1;
    expect(await tenants.list()).toEqual([]);
  });

  it("keeps what it knew for an hour while the platform is away, and no longer", async () => {
    const tenants = directory();
    await tenants.list();
    everyCall({ status: 502 });
    now += hours(1) - 1;
    expect(await tenants.list()).toEqual([ACME, ZED]);
    now += 1;
    await expect(tenants.list()).rejects.toThrow(UpstreamError);
  });

  it("throws for a list that is none", async () => {
    platform.tenants = [{ name: "Nobody" }];
    await expect(directory().list()).rejects.toThrow("the reply is not as documented: 0.id");
  });
});

describe("PlatformProbe", () => {
  const warnings: string[] = [];
  beforeEach(() => void warnings.splice(0));
  const log = {
    warn: (fields: object, text: string) => void warnings.push(`${text} ${JSON.stringify(fields)}`),
  };
  const probeOf = (client = clientOf()) => new PlatformProbe({ client, log, elapsed: () => now });

  it("gives what the platform measures, within 0 and 100, its Redis without user and password", async () => {
    const { redis, ...rest } = createSystemResources({ cpu: 20, redis: true, meetings: 3 });
    platform.resources = {
      ...rest,
      cpu: { ...rest.cpu, usagePercentage: 100.4 },
      redis: { ...redis, connectionString: "redis://user:secret@cache.example:6379" },
    };
    const { resources, limitedTo } = await probeOf().measure();
    expect(resources.cpu.usagePercentage).toBe(100);
    expect(resources.redis?.connectionString).toBe("redis://***:***@cache.example:6379");
    expect(resources.meetings).toEqual({ concurrentMeetings: 3, activeBots: 3, totalRecordings: 1204 });
    expect(limitedTo).toEqual({ memory: false, cpu: false });
  });

  it("warns once that redis or meetings are missing, and has neither (section 7)", async () => {
    platform.resources = { ...createSystemResources(), redis: null };
    const probe = probeOf();
    for (let time = 0; time < 3; time += 1) {
      const { resources } = await probe.measure();
      expect([resources.redis, resources.meetings]).toEqual([undefined, undefined]);
    }
    expect(warnings).toHaveLength(2);
    platform.resources = createSystemResources({ redis: true, meetings: 1 });
    await probe.measure();
    platform.resources = createSystemResources({ redis: true });
    await probe.measure();
    expect(warnings).toHaveLength(3);
  });

  it("shows a slow platform as it was last for half a minute, and settles within a second", async () => {
    const probe = probeOf();
    const first = await probe.measure();
    everyCall("slow");
    const began = performance.now();
    expect(await probe.measure()).toEqual(first);
    expect(performance.now() - began).toBeLessThan(1000);
    now += seconds(30);
    await expect(probe.measure()).rejects.toThrow("did not tell its resources");
    expect(platform.requests).toHaveLength(2);
  });

  it.each<[string, PlatformFailure]>([
    ["fails", { status: 500 }],
    ["says something else", "other-json"],
  ])("has no measurement when the platform %s", async (_what, trouble) => {
    everyCall(trouble);
    await expect(probeOf().measure()).rejects.toThrow(UpstreamError);
  });

  it("has the platform check, and only warns when that fails", async () => {
    const probe = probeOf();
    await probe.check();
    expect(platform.applied).toMatchObject([{ method: "POST", path: "/api/resourcemonitor/check" }]);
    everyCall({ status: 500 });
    await probe.check();
    expect(warnings).toHaveLength(1);
  });
});
