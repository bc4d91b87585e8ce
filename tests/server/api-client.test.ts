import { describe, expect, it } from "vitest";
import { SCOPES } from "~/services/api-tokens/token";
import { newId } from "~/services/service-deps";
import { createSubscription } from "../factories/push";
import { signReport } from "../factories/signed-report";
import { startSmtpServer } from "../fakes/smtp-server";
import { hasRedis, startRedis } from "../redis";
import { SUPERADMIN } from "../server-process";
import { generateClient, type GeneratedClient } from "./generated-client";
import { makeToken } from "./made-tokens";
import { logInAs } from "./operators";
import { storeDevices } from "./stored-devices";
import { readRows } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

/**
 * Every call of the API by a client that a public generator made of the document alone: what it cannot do, no reader of the
 * document can.
 */
const SECRET = "a secret for reports, long enough for one";

const smtp = useFixture(() => startSmtpServer());
const redis = hasRedis ? useFixture(startRedis) : undefined;
const server = useServer(() => ({
  ...smtp.environment,
  BOUNCE_WEBHOOK_SECRET: SECRET,
  // No message leaves this machine: the one allowed push service leads nowhere.
  PUSH_ALLOWED_HOSTS: "push.frontdesk.test",
  INVITE_URL: "https://app.example.com/join?code={code}",
  ...(redis ? { REDIS_URL: redis.url } : {}),
}));
const superadmin = useSuperadmin(server);
const generated = useFixture(async () => {
  storeDevices(server);
  return generateClient(server, await makeToken(server, superadmin.cookie, { scopes: SCOPES }));
});

const call: GeneratedClient["call"] = (name, options) => generated.call(name, options);
const nobody = { auth: "fd_nobody" };
const body = (fields: object) => ({ body: fields });
/** What a refused call resolves with. */
const problem = (status: number, code: string, field?: string) => ({
  status,
  error: { code, ...(field && { fields: { [field]: expect.any(String) as string } }) },
});
const changeAccounts = (fields: object) => call("changeAccounts", body(fields));

describe("a client generated from the document", () => {
  // C18, C19, C26
  it.each([
    ["sendEmail", { Subject: "Hello", Content: "<p>Hello</p>" }, "Hello", "was written in HTML"],
    ["sendEmail", { Content: "<p>Hello</p>" }, "Invitation to the Confer app", "was written in HTML"],
    [
      "sendReminder",
      { Title: "Budget", Message: "Please <b>look</b>.", DueDate: "2026-12-31", Link: "https://e.example/1" },
      "Reminder: Budget",
      "Due on Thursday, December 31, 2026.",
    ],
    [
      "sendTaskAssignment",
      { TaskTitle: "Budget", AssignedBy: "Ada" },
      "New task: Budget",
      "Ada assigned a task",
    ],
    ["sendUserRemoval", { TenantName: "Acme" }, "You were removed from Acme on Confer", "has ended"],
  ])(
    "%s sends an email, once for each key, and none to two addresses",
    async (name, fields, subject, words) => {
      const before = smtp.count();
      const headers = { "Idempotency-Key": `${name} ${subject}` };
      const input = { ToEmail: "ada@example.com", ...fields };
      const sent = await call(name, { ...body(input), headers });
      const email = await smtp.emails.at(-1)?.parse();
      expect(sent).toMatchObject({ status: 200, data: { messageId: email?.messageId } });
      expect(email).toMatchObject({ subject, from: { name: "The Confer team" } });
      expect(email?.text).toContain(words);
      expect(email?.html).not.toContain("Please <b>");
      const again = await call(name, { ...body(input), headers });
      expect([again.data, again.headers.get("Idempotent-Replayed")]).toEqual([sent.data, "true"]);
      const two = await call(name, body({ ...input, ToEmail: "a@example.com, e@example.com" }));
      expect(two).toMatchObject(problem(422, "invalid_body", "ToEmail"));
      for (const [field, value] of Object.entries(input)) {
        const changed = field === "DueDate" ? "2026-12-30" : `${value}x`;
        const other = await call(name, { ...body({ ...input, [field]: changed }), headers });
        expect(other, field).toMatchObject(problem(409, "idempotency_key_reused"));
      }
      expect(smtp.count() - before).toBe(1);
    },
  );

  it("lists the companies", async () => {
    expect(await call("getTenantInfo")).toMatchObject({
      status: 200,
      data: [{ id: "acme", name: "Acme", domain: "acme.com" }],
    });
    expect(await call("getTenantInfo", nobody)).toMatchObject(problem(401, "unknown_token"));
  });

  it.each([
    ["broadcastToAll", {}, {}, 3],
    ["broadcastToApp", {}, { appType: "confer-landing" }, 1],
    ["broadcastToTenant", { path: { tenantId: "acme" } }, {}, 1],
  ])(
    "%s returns the result of every device, once for each key",
    async (name, options, more, failureCount) => {
      const message = { title: "The beta opens", body: "Come in.", ...more };
      const key = { headers: { "Idempotency-Key": name } };
      const sent = await call(name, { ...options, ...key, ...body(message) });
      expect(sent).toMatchObject({ status: 200, data: { successCount: 0, failureCount } });
      const again = await call(name, { ...options, ...key, ...body(message) });
      expect([again.data, again.headers.get("Idempotent-Replayed")]).toEqual([sent.data, "true"]);
      const id = sent.headers.get("Location")?.split("/").at(-1) ?? "";
      expect(await call("getBroadcast", { path: { id } })).toMatchObject({
        status: 200,
        data: { id, state: "finished", successCount: 0, failureCount },
      });
      const empty = await call(name, { ...options, ...body({ ...message, title: " " }) });
      expect(empty).toMatchObject({ status: 422, error: { fields: { title: expect.any(String) } } });
      const long = await call(name, { ...options, ...body({ ...message, body: "😀".repeat(2000) }) });
      expect(long).toMatchObject({ status: 422, error: { fields: { body: expect.any(String) } } });
      expect(readRows(server, "select id from broadcasts where id = ?", id)).toHaveLength(1);
    },
  );

  it("refuses a broadcast to an unknown app or company, and an unknown broadcast's id", async () => {
    const message = { title: "The beta opens", body: "Come in." };
    const path = { tenantId: "nobody", id: newId() };
    const refusals = [
      await call("broadcastToApp", body({ ...message, appType: "another" })),
      await call("broadcastToTenant", { path, ...body(message) }),
      await call("getBroadcast", { path }),
    ];
    expect(refusals.map(({ error }) => error)).toMatchObject([
      { code: "invalid_body", fields: { appType: expect.any(String) } },
      { code: "unknown_tenant" },
      { code: "unknown_broadcast" },
    ]);
  });

  it.each([
    ["signUpForEarlyAccess", { name: "Ada", email: "ada@example.com", role: "developer" }, "early-access"],
    ["signUpForUpdates", { name: "Ada", email: "ada@example.com" }, "updates-signup"],
    [
      "sendInquiry",
      { fullName: "Ada", email: "ada@example.com", inquiryType: "general", message: "May I?" },
      "contact-form",
    ],
  ])("%s stores it once, with the given consent", async (name, fields, kind) => {
    const consent = { wording: "I agree.", version: "7" };
    for (let time = 0; time < 2; time += 1) {
      expect(await call(name, body({ ...fields, consent }))).toMatchObject({
        status: 200,
        data: { status: "success" },
      });
    }
    const stored =
      "select state, wording, wording_version from submissions join consents on submission_id = id where kind = ?";
    const row = { state: "accepted", wording: "I agree.", wording_version: "7" };
    expect(readRows(server, stored, kind)).toEqual([row]);
    const wrong = await call(name, body({ ...fields, email: "ada" }));
    const error = { code: "invalid_body", fields: { email: expect.any(String) } };
    expect(wrong).toMatchObject({ status: 422, error });
  });

  it("registers, refreshes and removes the application's devices", async () => {
    expect(await call("getDeviceSettings")).toMatchObject({
      status: 200,
      data: { engine: "webpush", publicKey: expect.stringMatching(/^[\w-]{87}$/) },
    });
    const { endpoint, keys } = JSON.parse(
      createSubscription("https://push.frontdesk.test/own").token,
    ) as object & {
      endpoint: string;
      keys: object;
    };
    const device = { user: "ada", tenant: "acme", subscription: { endpoint, keys, expirationTime: null } };
    const register = (...devices: object[]) => call("registerDevices", body({ devices }));
    const others = [
      { ...device, tenant: "nobody" },
      { user: "ada", token: "f".repeat(64) },
    ];
    expect(await register(device, ...others)).toMatchObject({
      status: 200,
      data: {
        results: [
          { result: "registered" },
          { result: "refused", code: "unknown_tenant", message: expect.any(String) },
          { result: "refused", code: "wrong_engine" },
        ],
      },
    });
    expect(await register(device)).toMatchObject({ data: { results: [{ result: "refreshed" }] } });
    expect(
      readRows(server, "select uid, app_type, tenant_id from devices where endpoint = ?", endpoint),
    ).toEqual([{ uid: "ada", app_type: "confer-app", tenant_id: "acme" }]);
    expect(await register({ ...device, token: "f" })).toMatchObject(
      problem(422, "invalid_body", "devices.0.subscription"),
    );
    expect(await register({ ...device, user: " " })).toMatchObject(
      problem(422, "invalid_body", "devices.0.user"),
    );
    expect(await register()).toMatchObject(problem(422, "invalid_body", "devices"));
    const remove = (fields: object) => call("removeDevices", body(fields));
    expect(await remove({})).toMatchObject(problem(422, "invalid_body", "devices"));
    expect(await remove({ devices: [endpoint] })).toMatchObject({ data: { removed: 1 } });
    expect(await remove({ users: ["ada"] })).toMatchObject({ data: { removed: 0 } });
  });

  it("reads the signups once each, and the people behind them", async () => {
    const cursors: (string | undefined)[] = [undefined];
    const signups: { id: string; form: string; fields: Record<string, string> }[] = [];
    for (let hasMore = true; hasMore;) {
      const page = await call("listSignups", { query: { limit: 2, cursor: cursors.at(-1) } });
      const data = page.data as { data: typeof signups; next: string; hasMore: boolean };
      signups.push(...data.data);
      cursors.push(data.next);
      hasMore = data.hasMore;
    }
    const stored = readRows(server, "select id from submissions where state = 'accepted' order by id");
    expect(signups.map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(stored);
    expect(signups.find(({ form }) => form === "contact-form")?.fields).toEqual({
      fullName: "Ada",
      email: "ada@example.com",
      inquiryType: "general",
      message: "May I?",
    });
    const nothing = { data: [], next: cursors.at(-1), hasMore: false };
    expect((await call("listSignups", { query: { cursor: cursors.at(-1) } })).data).toMatchObject(nothing);

    const ada = { email: "ada@example.com", name: "Ada", domain: "example.com", suppression: null };
    const listed = await call("listPeople", { query: { email: "ADA@example.com", limit: 1 } });
    expect(listed.data).toMatchObject({ data: [ada], next: null });
    const person = await call("getPerson", { path: { id: signups[0]!.id } });
    expect(person).toMatchObject({ status: 200, data: { data: { ...ada, hasMoreForms: false } } });
    expect((person.data as { data: { forms: object[] } }).data.forms).toHaveLength(stored.length);

    expect(await call("getPerson", { path: { id: newId() } })).toMatchObject(problem(404, "unknown_person"));
    const refused = [
      await call("listSignups", { query: { cursor: "the last", limit: 101, form: "none" } }),
      await call("listPeople", { query: { after: "the last", email: "ada" } }),
    ];
    expect(refused.map(({ error }) => error)).toMatchObject([
      {
        status: 422,
        fields: { cursor: expect.any(String), limit: expect.any(String), form: expect.any(String) },
      },
      { status: 422, fields: { after: expect.any(String), email: expect.any(String) } },
    ]);
  });

  it("verifies a code, and reports who joined without one", async () => {
    expect((await call("verifyInvitation", body({ code: "nobody's" }))).data).toMatchObject({
      valid: false,
      reason: "unknown",
    });
    const people = [{ email: "ada@example.com" }, { email: "nobody@example.com" }];
    expect((await call("reportJoined", body({ people }))).data).toMatchObject({
      results: [
        { result: "joined", email: "ada@example.com", wave: null },
        { result: "refused", code: "unknown_address" },
      ],
    });
    expect(await call("reportJoined", body({ email: "nobody@example.com" }))).toMatchObject({
      error: { code: "unknown_address" },
    });
  });

  it("writes a test error, reads the log with the newest line last, and deletes it", async () => {
    expect(await call("generateError")).toMatchObject({ status: 200, data: { status: "success" } });
    expect(await call("generateErrorByPost")).toMatchObject({ status: 200 });
    await expect
      .poll(async () => String((await call("getLogs", { query: { limit: 1000 } })).data), { timeout: 10_000 })
      .toMatch(/\[ERROR\] a test error, requested through the API/);
    const lines = (await call("getLogs")).data as string[];
    expect(lines.every((line) => /^\S+ \[[A-Z]+\] /.test(line))).toBe(true);
    expect(lines.at(-1)! >= lines[0]!).toBe(true);
    expect((await call("getLogs", { query: { limit: 2 } })).data).toHaveLength(2);
    expect(await call("getLogs", { query: { limit: 1001 } })).toMatchObject(
      problem(422, "invalid_query", "limit"),
    );
    expect(await call("deleteLogs")).toMatchObject({ status: 200, data: { status: "success" } });
    expect(readRows(server, "select actor, outcome from audit where action = 'delete-logs'")).toEqual([
      { actor: SUPERADMIN.email, outcome: "ok" },
    ]);
    expect(await call("generateError", nobody)).toMatchObject({ status: 401 });
    expect(await call("deleteLogs", nobody)).toMatchObject({ status: 401 });
  });

  it("reads the server's resources as the specification's entity and nothing else", async () => {
    for (const name of ["getResources", "checkResources"]) {
      const { status, data } = await call(name);
      expect([name, status]).toEqual([name, 200]);
      expect(data).toMatchObject({
        diskUsage: { usagePercentage: expect.any(Number), totalBytes: expect.any(Number) },
        cpu: { coreCount: expect.any(Number), coreUsages: { "Core 1": expect.any(Number) } },
        network: { inboundKBps: expect.any(Number), totalBytesReceived: expect.any(Number) },
      });
      const known = ["cpu", "diskUsage", "meetings", "memory", "network", "redis"];
      expect(known).toEqual(expect.arrayContaining(Object.keys(data as object)));
      expect(await call(name, nobody)).toMatchObject({ status: 401 });
    }
  });

  it.skipIf(!hasRedis)("reads the status of Redis and of the meetings", async () => {
    await redis!.run("SADD", "meetings:active", ..."abc");
    const check = async () => {
      await call("checkResources");
      return [(await call("getRedisStatus")).data, (await call("getMeetingMetrics")).data];
    };
    await expect.poll(check, { timeout: 15_000 }).toMatchObject([
      {
        isConnected: true,
        activeMeetings: 3,
        connectionString: expect.not.stringContaining(redis!.password),
      },
      { concurrentMeetings: 3, activeBots: 0, totalRecordings: 0 },
    ]);
    for (const name of ["getRedisStatus", "getMeetingMetrics"]) {
      expect(await call(name, nobody)).toMatchObject(problem(401, "unknown_token"));
    }
  });

  it("manages accounts, and no response contains a password", async () => {
    const ada = { email: "ada@example.com", fullName: "Ada Byron", password: "a first password" };
    const create = { operation: "create", role: "admin", ...ada };
    const created = { status: "success", message: "User created successfully" };
    expect(await changeAccounts(create)).toMatchObject({ status: 200, data: created });
    const taken = { title: expect.stringMatching(/^Failed to create user/) };
    expect(await changeAccounts(create)).toMatchObject({ status: 409, error: taken });
    const listed = await call("listAccounts", { query: { limit: 1 } });
    const made = { email: ada.email, fullName: "Ada Byron", role: "admin", lastLoginAt: null };
    expect(listed.data).toMatchObject({ status: "success", data: [made], next: expect.any(String) });
    const { next: after } = listed.data as { next: string };
    const rest = await call("listAccounts", { query: { after } });
    expect(rest.data).toMatchObject({ data: [{ email: SUPERADMIN.email, role: "superadmin" }], next: null });
    expect(JSON.stringify([listed.data, rest.data])).not.toMatch(/password|argon2|hash/i);
    const reset = { operation: "resetPassword", email: "ADA@example.com", newPassword: "a second password" };
    expect(await changeAccounts(reset)).toMatchObject({
      data: { status: "success", message: "Password updated successfully" },
    });
    // Temporary: it leads to the screen where another one is chosen, and nowhere else.
    const session = await logInAs(server, ada.email, reset.newPassword);
    const inside = await server.fetch("/admin/dashboard", { headers: { Cookie: session } });
    expect(inside.headers.get("Location")).toContain("/admin/password-reset");
  });

  // C11
  it("creates and changes no superadmin, and refuses passwords that break the policy", async () => {
    const eve = { operation: "create", email: "eve@example.com", fullName: "Eve", password: "long enough" };
    const reset = { operation: "resetPassword", newPassword: "long enough" };
    const refusals = [
      await changeAccounts({ ...eve, role: "superadmin" }),
      await changeAccounts({ ...eve, role: "admin", password: "short" }),
      await changeAccounts({ ...reset, email: "ada@example.com", newPassword: "password" }),
      await changeAccounts({ ...reset, email: SUPERADMIN.email }),
      await changeAccounts({ ...reset, email: "no@example.com" }),
      await changeAccounts({ operation: "remove", email: "ada@example.com" }),
      await call("listAccounts", nobody),
      await call("listAccounts", { query: { limit: 1001, after: "the first" } }),
    ];
    expect(refusals.map(({ error }) => error)).toMatchObject([
      { status: 422, fields: { role: expect.any(String) } },
      { status: 422, fields: { password: "Please use at least 6 characters." } },
      { status: 422, fields: { newPassword: expect.stringContaining("most common passwords") } },
      { status: 403, code: "account_protected" },
      { status: 404, code: "unknown_account" },
      { status: 422, fields: { operation: expect.any(String) } },
      { status: 401 },
      { status: 422, fields: { limit: "must be a whole number from 1 to 1,000", after: expect.any(String) } },
    ]);
    expect(readRows(server, "select email from accounts where email = 'eve@example.com'")).toEqual([]);
  });

  it("signs a visitor in and registers their device", async () => {
    const visitor = await call("signInVisitor");
    const { uid, idToken } = visitor.data as { uid: string; idToken: string };
    const { token } = createSubscription("https://push.frontdesk.test/mine");
    const device = body({ token, userId: uid, appType: "confer-landing" });
    expect(await call("registerDevice", { ...device, auth: idToken })).toMatchObject({ status: 200 });
    expect(await call("registerDevice", device)).toMatchObject(problem(401, "unknown_visitor"));
  });

  it("reports a bounce with a signature", async () => {
    const report = { events: [{ type: "bounce", permanent: true, address: "gone@example.com" }] };
    const auth = signReport(JSON.stringify(report), SECRET);
    expect(await call("receiveBounces", { ...body(report), auth })).toMatchObject({
      status: 200,
      data: { received: 1, suppressed: 1 },
    });
    expect(await call("receiveBounces", { ...body(report), auth: "t=1,v1=x" })).toMatchObject(
      problem(401, "wrong_signature"),
    );
    const email = { ToEmail: "gone@example.com", Subject: "Hello", Content: "<p>Hello</p>" };
    expect(await call("sendEmail", body(email))).toMatchObject({ error: { code: "address_bounced" } });
  });

  it("reads its own document", async () => {
    expect((await call("getDocument")).data).toMatchObject({ openapi: "3.1.1" });
  });

  it("has made every call", () => {
    if (!hasRedis) ["getRedisStatus", "getMeetingMetrics"].forEach((name) => generated.used.add(name));
    expect(generated.names.sort()).toEqual([...generated.used].sort());
  });
});
