import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { hours, minutes, seconds } from "~/lib/durations";
import { UpstreamError } from "~/lib/upstream-error";
import { PlatformMailer } from "~/services/mail/drivers/platform-mailer.server";
import type { Email } from "~/services/mail/mailer";
import { toResult } from "~/services/mail/delivery/delivery-result";
import { PlatformClient } from "~/services/platform/platform-client.server";
import { PlatformProbe } from "~/services/resources/drivers/platform-probe.server";
import { PlatformTenantDirectory } from "~/services/tenants/drivers/platform-tenant-directory.server";
import { freePort } from "../../scripts/free-port.mjs";
import { removeAfterTest } from "../fixture";
import { createEmail } from "../factories/email";
import { createSystemResources } from "../factories/resources";
import { chooseSize } from "../sizes";
import { PLATFORM_TOKEN, startPlatform, type FakePlatform, type PlatformFailure } from "../fakes/platform";

const NOON = Date.UTC(2026, 10, 22, 12);

let platform: FakePlatform;
let now: number;
beforeEach(async () => {
  platform = removeAfterTest(await startPlatform());
  now = NOON;
});

function createClient(differing: { url?: string; timeoutMs?: number } = {}): PlatformClient {
  return new PlatformClient({
    url: platform.url,
    token: PLATFORM_TOKEN,
    clock: () => now,
    elapsed: () => now,
    ...differing,
  });
}
const failAll = (failure: PlatformFailure) => (platform.failRequest = () => failure);

const check = { operation: "check", method: "POST", path: "/api/resourcemonitor/check" } as const;
const replySchema = z.object({ status: z.string() });
const getError = async (request: Promise<unknown>): Promise<UpstreamError> => {
  const error: unknown = await request.catch((thrown: unknown) => thrown);
  if (error instanceof UpstreamError) return error;
  throw new Error("It was no UpstreamError", { cause: error });
};

describe("the platform's client", () => {
  it("sends its token and returns the parsed reply", async () => {
    const client = createClient({ url: `${platform.url}/` });
    expect(await client.request(check, replySchema)).toEqual({ status: "ok" });
    expect(platform.requests).toEqual([{ method: "POST", path: check.path, body: undefined }]);
  });

  it.each<[string, PlatformFailure, Partial<UpstreamError>]>([
    ["a refusal", { status: 403, text: "not you" }, { status: 403, detail: "not you" }],
    ["too much", { status: 429, headers: { "Retry-After": "7" } }, { status: 429, retryAfterMs: seconds(7) }],
    ["a failure", { status: 500, text: "boom\n at Main()" }, { status: 500, detail: "boom at Main()" }],
    ["a redirect, which is not followed", { status: 302, headers: { Location: "/" } }, { status: 302 }],
    ["a connection cut after it was applied", "cut", { status: undefined, handedOver: true }],
    ["a reply that breaks off", "cut-within-reply", { status: 200 }],
    ["no answer in time", "slow", { status: undefined, handedOver: true, detail: "no answer within 0.2 s" }],
    ["HTML instead of JSON", "no-json", { status: 200, detail: "the reply is not JSON" }],
    ["another reply than documented", "other-json", { status: 200 }],
    ["a reply of 2 MB", "huge", { status: 200, detail: "the reply is longer than 1,048,576 bytes" }],
  ])("throws an UpstreamError for %s", async (_what, failure, expected) => {
    failAll(failure);
    const error = await getError(createClient({ timeoutMs: 200 }).request(check, replySchema));
    expect(error).toMatchObject({ service: "platform", operation: "check", handedOver: true, ...expected });
    const isRefused = error.status !== undefined && error.status !== 200;
    expect(error.message.includes("Network response was not ok")).toBe(isRefused);
    expect(platform.requests).toHaveLength(1);
  });

  it("reports a request that was not handed over", async () => {
    const client = createClient({ url: `http://127.0.0.1:${await freePort()}` });
    const error = await getError(client.send(check));
    expect(error).toMatchObject({ status: undefined, handedOver: false });
    expect(error.detail).toContain("ECONNREFUSED");
  });

  it("masks its token in errors", async () => {
    failAll({ status: 400, text: `Bearer ${PLATFORM_TOKEN} is invalid` });
    const error = await getError(createClient().send(check));
    expect(error.detail).toBe("Bearer *** is invalid");
    expect(error.message).not.toContain(PLATFORM_TOKEN);
  });

  it("pauses for 30 seconds after five consecutive failures; then one call is sent", async () => {
    const client = createClient();
    failAll({ status: 503 });
    for (let call = 0; call < 5; call += 1) await getError(client.send(check));
    expect(await getError(client.send(check))).toMatchObject({ status: undefined, handedOver: false });
    expect(platform.requests).toHaveLength(5);
    now += seconds(30);
    const both = await Promise.all([getError(client.send(check)), getError(client.send(check))]);
    expect(both.map(({ status }) => status)).toEqual([503, undefined]);
    platform.failRequest = () => undefined;
    now += seconds(30);
    await client.send(check);
    await client.send(check);
    expect(platform.applied).toHaveLength(2);
  });

  it("does not count refusals as failures", async () => {
    const client = createClient();
    failAll({ status: 404 });
    for (let call = 0; call < 8; call += 1) await getError(client.send(check));
    expect(platform.requests).toHaveLength(8);
  });
});

const email = createEmail({
  html: "<p>Dear Ada, <b>it runs</b>. Grüße 🙂</p>",
  headers: { "List-Unsubscribe": "<https://frontdesk.test/u>" },
});

describe("PlatformMailer", () => {
  it("sends address, subject and HTML, and nothing else", async () => {
    expect(await new PlatformMailer(createClient()).send(email)).toEqual({
      kind: "accepted",
      detail: '{"message":"Email sent"}',
    });
    const body = { ToEmail: "ada@example.test", Subject: email.subject, Content: email.html };
    expect(platform.applied).toEqual([{ method: "POST", path: "/api/Email/send-email", body }]);
  });

  // R32
  it.each<[string, PlatformFailure, string, number?]>([
    ["HTML as the reply", "no-json", "accepted"],
    ["a reply that breaks off", "cut-within-reply", "accepted"],
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
    ["a cut connection", "cut", "unknown"],
    ["no response", "slow", "unknown"],
  ])("interprets %s after one request", async (_what, failure, kind, code) => {
    failAll(failure);
    const outcome = await new PlatformMailer(createClient({ timeoutMs: 200 })).send(email);
    expect(outcome).toMatchObject({ kind, ...(code && { code }) });
    expect(platform.requests).toHaveLength(1);
  });

  it("retries when the platform's Retry-After says", async () => {
    failAll({ status: 429, headers: { "Retry-After": "3600" } });
    const outcome = await new PlatformMailer(createClient()).send(email);
    const row = { attempts: 0, not_before: 0, detail: "" };
    expect(toResult(row, outcome, NOON)).toMatchObject({ state: "retrying", notBefore: NOON + hours(1) });
  });

  it("is unreachable without a connection", async () => {
    const mailer = new PlatformMailer(createClient({ url: `http://127.0.0.1:${await freePort()}` }));
    expect(await mailer.send(email)).toMatchObject({ kind: "unreachable" });
  });

  // C18
  it.each<[string, Partial<Email>]>([
    ["a line break in the subject", { subject: "Hi\r\nBcc: e@x.test" }],
    ["two addresses", { to: { name: "", address: "a@x.test, e@x.test" } }],
  ])("sends nothing with %s", async (_what, change) => {
    await expect(new PlatformMailer(createClient()).send({ ...email, ...change })).rejects.toThrow(TypeError);
    expect(platform.requests).toEqual([]);
  });

  it("cannot look up sent emails", async () => {
    expect(await new PlatformMailer(createClient()).knows()).toBeUndefined();
  });
});

describe("PlatformTenantDirectory", () => {
  const directory = () => new PlatformTenantDirectory({ client: createClient(), clock: () => now });
  const ACME = { id: "7", name: "Acme", domain: "acme.example" };
  const ZED = { id: "zed", name: "Zed", domain: "" };

  it("lists companies by name, and reads them again after five minutes", async () => {
    const tenants = directory();
    const both = await Promise.all([tenants.list(), tenants.list()]);
    for (const list of both) expect(list).toEqual([ACME, ZED]);
    now += minutes(5) - 1;
    await tenants.list();
    expect(platform.requests).toHaveLength(1);
    platform.tenants = [];
    now += 1;
    expect(await tenants.list()).toEqual([]);
  });

  it("lists the last known companies for an hour while the platform is unreachable", async () => {
    const tenants = directory();
    await tenants.list();
    failAll({ status: 502 });
    now += hours(1) - 1;
    expect(await tenants.list()).toEqual([ACME, ZED]);
    now += 1;
    await expect(tenants.list()).rejects.toThrow(UpstreamError);
  });

  it("throws for a malformed list", async () => {
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
  const createProbe = (client = createClient()) => new PlatformProbe({ client, log, elapsed: () => now });

  it("returns the platform's resources, Redis without password", async () => {
    const { redis, ...rest } = createSystemResources({ cpu: 20, redis: true, meetings: 3 });
    platform.resources = {
      ...rest,
      cpu: { ...rest.cpu, usagePercentage: 100.4 },
      redis: { ...redis, connectionString: "redis://user:secret@cache.example:6379" },
    };
    const { resources, limitedTo } = await createProbe().measure();
    expect(resources.cpu.usagePercentage).toBe(100);
    expect(resources.redis?.connectionString).toBe("redis://***:***@cache.example:6379");
    expect(resources.meetings).toEqual({ concurrentMeetings: 3, activeBots: 3, totalRecordings: 1204 });
    expect(limitedTo).toEqual({ memory: false, cpu: false });
  });

  it("warns once about missing Redis or meetings, and returns neither (section 7)", async () => {
    platform.resources = { ...createSystemResources(), redis: null };
    const probe = createProbe();
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

  it("returns the last resources while the platform is slow", async () => {
    const probe = createProbe();
    const first = await probe.measure();
    failAll("slow");
    const began = performance.now();
    expect(await probe.measure()).toEqual(first);
    expect(performance.now() - began).toBeLessThan(chooseSize({ daily: 5000, full: 1000 }));
    now += seconds(30);
    await expect(probe.measure()).rejects.toThrow("did not report its resources");
    expect(platform.requests).toHaveLength(2);
  });

  it.each<[string, PlatformFailure]>([
    ["fails", { status: 500 }],
    ["replies in another form", "other-json"],
  ])("throws when the platform %s", async (_what, failure) => {
    failAll(failure);
    await expect(createProbe().measure()).rejects.toThrow(UpstreamError);
  });

  it("makes the platform check, and only warns when that fails", async () => {
    const probe = createProbe();
    await probe.check();
    expect(platform.applied).toMatchObject([{ method: "POST", path: "/api/resourcemonitor/check" }]);
    failAll({ status: 500 });
    await probe.check();
    expect(warnings).toHaveLength(1);
  });
});
