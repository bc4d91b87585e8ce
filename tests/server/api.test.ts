import PostalMime from "postal-mime";
import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../server/fixtures/raw-http";
import { startSmtpServer, type Answer } from "../fakes/smtp-server";
import { makeToken as makeTokenOn } from "./made-tokens";
import { execute, readRows, someone, withoutTable } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

const SEND = "/api/Email/send-email";

/** Responses of the mail server by address; it accepts all others. */
const answers = new Map<string, Answer>();
const smtp = useFixture(() => startSmtpServer({ answer: (address) => answers.get(address) ?? "ok" }));
const server = useServer(() => smtp.environment);
const superadmin = useSuperadmin(server);
let token: string;
beforeAll(async () => {
  token = await makeToken();
});

const makeToken = (life?: string) => makeTokenOn(server, superadmin.cookie, { scopes: ["email:send"], life });
/** Changes a stored token as time or another version of the product would. */
const change = (token: string, set: string) =>
  execute(server, `update api_tokens set ${set} where prefix = ?`, token.slice(0, 11));

const email = { ToEmail: "ada@example.com", Subject: "Hello", Content: "<p>Hello</p>" };
const call = (headers: Record<string, string> = {}, body: unknown = email, path = SEND) =>
  server.fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...someone(), ...headers },
    body: typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body),
  });
const bearer = (made = token) => ({ Authorization: `Bearer ${made}` });
/** Sends an email; resolves with the response and the number of emails that were sent. */
async function send(body: unknown, headers: Record<string, string> = {}) {
  const before = smtp.count();
  const answer = await call({ ...bearer(), ...headers }, body);
  return {
    ...(await answer.json()),
    status: answer.status,
    headers: answer.headers,
    emails: smtp.count() - before,
  };
}

describe("the API requires a bearer token", () => {
  const NONE = 'Bearer realm="api"';
  const INVALID = 'Bearer realm="api", error="invalid_token"';
  const NO_SCOPE = 'Bearer realm="api", error="insufficient_scope", scope="email:send"';

  // C11
  it("no token, an unknown, expired or revoked one is 401, one without the scope 403", async () => {
    const before = smtp.count();
    await expectRefused(await call(), 401, "missing_token", NONE);
    for (const Authorization of ["", "Basic YTpi", "Bearer", "Bearer a b"]) {
      await expectRefused(await call({ Authorization }), 401, "missing_token", NONE);
    }
    await expectRefused(await call(bearer(`fd_${"x".repeat(43)}`)), 401, "unknown_token", INVALID);
    await expectRefused(await call(bearer("x")), 401, "unknown_token", INVALID);

    const expired = await makeToken("30-days");
    expect((await call(bearer(expired))).status).toBe(200);
    change(expired, "expires_at = 1");
    await expectRefused(await call(bearer(expired)), 401, "expired_token", INVALID);

    const narrow = await makeToken();
    change(narrow, "scopes = 'another:scope'");
    await expectRefused(await call(bearer(narrow)), 403, "insufficient_scope", NO_SCOPE);

    const revoked = await makeToken();
    const id = String(
      readRows(server, "select id from api_tokens where prefix = ?", revoked.slice(0, 11))[0]?.id,
    );
    const done = await superadmin.post("/admin/tokens", { intent: "revoke", token: id });
    expect(done.headers.get("Location")).toBe("/admin/tokens?notice=token-revoked");
    await expectRefused(await call(bearer(revoked)), 401, "revoked_token", INVALID);
    expect(smtp.count() - before).toBe(1);
  });

  // C11
  it("refuses a session's cookie, and ignores one beside a token", async () => {
    const ours = { ...superadmin.headers, "Sec-Fetch-Site": "same-origin" };
    await expectRefused(await call(ours), 401, "missing_token", NONE);
    expect((await call({ ...ours, ...bearer() })).status).toBe(200);
  });

  // C7
  it("accepts programs without a browser's headers, and no browser of another site", async () => {
    expect((await call(bearer())).status).toBe(200);
    for (const [name, value] of [
      ["Sec-Fetch-Site", "cross-site"],
      ["Sec-Fetch-Site", "same-site"],
      ["Origin", "https://e.example"],
      ["Cookie", superadmin.cookie],
    ] as const) {
      await expectRefused(await call({ [name]: value, ...bearer() }), 403, "cross_origin", null);
    }
  });

  it("answers the fifty-first invalid token with 429", async () => {
    const network = someone();
    for (let tries = 0; tries < 50; tries += 1) {
      expect((await call({ ...network, ...bearer("x") })).status).toBe(401);
    }
    const held = await call({ ...network, ...bearer("x") });
    expect(Number(held.headers.get("Retry-After"))).toBeGreaterThan(0);
    await expectRefused(held, 429, "too_many_refusals", null);
    expect((await call({ ...network, ...bearer() })).status).toBe(200);
    expect((await call(bearer("x"))).status).toBe(401);
  });

  it("what is not there is 404, with and without a token, and leads nowhere", async () => {
    for (const path of ["/api", "/api/", "/api/nothing", "/api/Email", "/api/Email/send-email/x"]) {
      for (const headers of [{}, bearer()]) {
        await expectRefused(await server.fetch(path, { headers }), 404, "not_found", null);
        await expectRefused(await call(headers, email, path), 404, "not_found", null);
      }
    }
    const head = await ask(server.port, `HEAD ${SEND}`);
    expect([head.status, head.headers.allow, head.body]).toEqual([405, "POST", ""]);
  });
});

describe("POST /api/Email/send-email", () => {
  const fits = "é".repeat((256 * 1024) / 2);
  // C19, C25
  it.each<[string, Record<string, unknown>, string]>([
    ["two addresses", { ToEmail: "a@example.com, e@example.com" }, "ToEmail"],
    ["an array for its address", { ToEmail: ["a@example.com"] }, "ToEmail"],
    ["a path for its content", { Content: { path: "/etc/hostname" } }, "Content"],
    ["no content", { Content: " " }, "Content"],
    ["a NUL in its content", { Content: "<p>\0</p>" }, "Content"],
    ["one byte too many", { Content: `${fits}a` }, "Content"],
    ["no subject", { Subject: "" }, "Subject"],
    ["a subject of two lines", { Subject: "Hi\r\nBcc: e@example.com" }, "Subject"],
    ["a subject of 201 characters", { Subject: "😀".repeat(201) }, "Subject"],
    ["a Bcc of its own", { Bcc: "e@example.com" }, "Bcc"],
    ["a field called constructor", { constructor: "x" }, "constructor"],
    ["attachments", { attachments: [{ path: "/etc/hostname" }] }, "attachments"],
  ])("with %s is 422 and no email", async (_, differs, field) => {
    const { status, fields, emails } = await send({ ...email, ...differs });
    expect([status, emails, Object.keys(fields)]).toEqual([422, 0, [field]]);
  });

  // C25
  it("accepts a body up to its limits, however JSON escapes it", async () => {
    expect(await send({ ...email, Content: fits, Subject: "😀".repeat(200) })).toMatchObject({
      status: 200,
      emails: 1,
    });
    const escaped = JSON.stringify({ ...email, Content: fits }).replaceAll("é", "\\u00e9");
    expect(await send(escaped)).toMatchObject({ status: 200, emails: 1 });
    const tooLarge = await send({ ...email, Content: "x".repeat(1024 * 1024) });
    expect(tooLarge).toMatchObject({ status: 413, emails: 0, code: "body_too_large" });
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ["no JSON in its body", "{", {}, 400, "invalid_json"],
    [
      "a form for its body",
      "ToEmail=a",
      { "Content-Type": "application/x-www-form-urlencoded" },
      415,
      "unsupported_media_type",
    ],
    [
      "a key of 256 characters",
      JSON.stringify(email),
      { "Idempotency-Key": "k".repeat(256) },
      400,
      "invalid_idempotency_key",
    ],
  ])("with %s is refused", async (_, body, headers, status, code) => {
    expect(await send(body, headers)).toMatchObject({ status, emails: 0, code });
  });

  it.each(["[]", '"x"', "null"])("with the body %s, which is no object, is 422 for it", async (body) => {
    expect(await send(body)).toMatchObject({
      status: 422,
      emails: 0,
      code: "invalid_body",
      fields: { body: expect.any(String) },
    });
  });

  // R47
  it.each<[string, string | undefined, number, string | undefined]>([
    ["no character set", undefined, 400, "invalid_encoding"],
    ["UTF-8", "utf-8", 400, "invalid_encoding"],
    ["ISO-8859-1", "iso-8859-1", 200, undefined],
    ["Windows-1252 in quotes", '"Windows-1252"', 200, undefined],
    ["UTF-7", "utf-7", 415, "unsupported_charset"],
    ["one called constructor", "constructor", 415, "unsupported_charset"],
  ])("in Latin-1 that names %s is sent as written or refused", async (_, charset, status, code) => {
    const body = Buffer.from(JSON.stringify({ ...email, Subject: "Grüße" }), "latin1");
    const type = charset === undefined ? "application/json" : `application/json; charset=${charset}`;
    const answer = await send(body, { "Content-Type": type });
    expect(answer).toMatchObject({ status, emails: status === 200 ? 1 : 0 });
    expect(answer.code).toBe(code);
    if (status !== 200) return;
    const { subject } = await PostalMime.parse(smtp.emails.at(-1)?.raw ?? "");
    expect(subject).toBe("Grüße");
  });

  // R48
  it("to a domain outside ASCII goes to its ASCII form", async () => {
    expect(await send({ ...email, ToEmail: "ada@müller.example" })).toMatchObject({ status: 200, emails: 1 });
    expect(smtp.emails.at(-1)?.raw.toString()).toContain("To: ada@xn--mller-kva.example\r\n");
    expect(await send({ ...email, ToEmail: "adá@example.com" })).toMatchObject({
      status: 422,
      fields: { ToEmail: "must have only ASCII letters, digits and signs before the @" },
    });
  });

  // C20
  it("to a suppressed or refused address is 409 and no email", async () => {
    answers.set("gone@example.com", { code: 550, text: "5.1.1 no such user" });
    const gone = { ...email, ToEmail: "gone@example.com" };
    const refused = await send(gone);
    expect(refused).toMatchObject({ status: 422, emails: 0, code: "mail_refused" });
    expect(refused.detail).toContain("no such user");
    answers.delete("gone@example.com");
    expect(await send(gone)).toMatchObject({ status: 409, emails: 0, code: "address_refused" });
    execute(server, "update suppressions set reason = 'unsubscribed' where email_key = 'gone@example.com'");
    expect(await send(gone)).toMatchObject({ status: 409, emails: 0, code: "address_unsubscribed" });
  });

  // R8
  it("that cannot be sent now is 503 with Retry-After", async () => {
    answers.set("busy@example.com", { code: 451, text: "4.7.1 try again later" });
    const later = await send({ ...email, ToEmail: "busy@example.com" });
    expect(later).toMatchObject({ status: 503, emails: 0, code: "mail_unavailable" });
    expect(later.detail).toContain("try again later");
    expect(later.headers.get("Retry-After")).toBe("60");
    answers.set("torn@example.com", "drop-after-data");
    const torn = await send({ ...email, ToEmail: "torn@example.com" }, { "Idempotency-Key": "torn" });
    expect(torn).toMatchObject({ status: 502, code: "mail_uncertain" });
  });

  // C32
  it("is a 500 in JSON without internals when an unexpected error occurs", async () => {
    const answer = await withoutTable(server, "api_tokens", () => call(bearer(), email));
    const text = await answer.clone().text();
    await expectRefused(answer, 500, "internal_error", null);
    expect(text).not.toMatch(/api_tokens|SQLITE|at /);
    expect(server.output()).toContain("no such table: api_tokens");
  });
});

it("an empty page of tokens links to the first one", async () => {
  const [first] = readRows(server, "select min(id) as id from api_tokens");
  const html = await superadmin.read(`/admin/tokens?sort=created&before=${String(first?.id)}`);
  expect(html).toContain("No more results.");
  expect(html).toContain('href="/admin/tokens?sort=created"');
});

describe("creating a token on the screen", () => {
  const post = (fields: Record<string, string>) =>
    superadmin.post("/admin/tokens", { intent: "create", ...fields });

  it.each<[Record<string, string>, string]>([
    [{ name: " ", life: "never", scopes: "email:send" }, "Please enter the name."],
    [
      { name: "x".repeat(101), life: "never", scopes: "email:send" },
      "Please shorten the name to 100 characters.",
    ],
    [{ name: "News", life: "never" }, "Please select at least one permission."],
    [{ name: "News", life: "never", scopes: "everything" }, "Please select at least one permission."],
    [{ name: "News", life: "for ever", scopes: "email:send" }, "Please choose when it expires."],
  ])("from %j is refused, and keeps what was typed", async (fields, sentence) => {
    const before = readRows(server, "select id from api_tokens");
    const html = await readText(post(fields), 422);
    expect(html).toContain(sentence);
    expect(html).toContain(`value="${fields.name}"`);
    expect(/<input type="checkbox"[^>]* checked=""/.test(html)).toBe(fields.scopes === "email:send");
    expect(readRows(server, "select id from api_tokens")).toEqual(before);
  });
});

/** Expects a refusal of the API: a documented problem, with nothing of a page. */
async function expectRefused(answer: Response, status: number, code: string, challenge: string | null) {
  expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([status, challenge]);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/problem\+json\b/);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual([]);
  const problem = (await answer.json()) as { title?: string };
  expect(problem).toMatchObject({
    type: `/api/openapi.json#/x-problems/${code}`,
    status,
    code,
    title: expect.stringMatching(/^[A-Z].+\.$/),
    // The specification's name for it.
    message: problem.title,
    instance: `urn:uuid:${answer.headers.get("X-Request-Id")}`,
  });
}
