import { describe, expect, it } from "vitest";
import { ask } from "../../server/fixtures/raw-http";
import { hours } from "~/lib/durations";
import { SignedVisitorIdentity } from "~/services/push/drivers/signed-visitor-identity.server";
import { createSubscription } from "../factories/push";
import { FROM_PAGE, postDevice } from "../factories/push-network";
import { formPost } from "../server-process";
import { dumpDatabase, readFormSecret, readRows, someone } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

interface Visitor {
  uid: string;
  idToken: string;
}

const openPage = (headers: Record<string, string> = {}) =>
  server.fetch("/api/visitor", { method: "POST", headers: { ...FROM_PAGE, ...headers } });
const signIn = async (headers?: Record<string, string>) =>
  (await (await openPage(headers)).json()) as Visitor;
const devices = () => readRows(server, "select * from devices order by id");

/** Registers a device as the page does, with the given differences. */
function register(
  { uid, idToken }: Visitor,
  body: Record<string, unknown> | string = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const record =
    typeof body === "string" ? body : { token: createSubscription().token, userId: uid, ...body };
  return postDevice(server, idToken, record, { ...someone(), ...headers });
}

describe("a visitor signs in for push messages", () => {
  it("as a new visitor, and as the same one with the cookie of this path", async () => {
    const before = dumpDatabase(server);
    const first = await openPage();
    const [cookie = "", ...more] = first.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(
      /^visitor=[^;]+; Max-Age=34560000; Path=\/api\/visitor; HttpOnly; SameSite=Strict$/,
    );
    const { uid, idToken } = (await first.json()) as Visitor;
    expect(idToken.startsWith(uid)).toBe(true);
    expect((await signIn({ Cookie: cookie.split(";")[0] ?? "" })).uid).toBe(uid);
    expect((await signIn()).uid).not.toBe(uid);
    expect((await signIn({ Cookie: "visitor=forged" })).uid).not.toBe(uid);
    expect(dumpDatabase(server)).toBe(before);
  });

  it("and still gets the cached landing page", async () => {
    const page = await server.fetch("/", { headers: { Cookie: "visitor=x" } });
    expect(page.headers.get("ETag")).toEqual(expect.any(String));
    expect(page.headers.get("Content-Security-Policy")).toContain("'sha256-");
  });
});

describe("POST /api/DeviceToken", () => {
  // C28
  it("stores a visitor's device once", async () => {
    const ada = await signIn();
    const { token } = createSubscription();
    for (let each = 0; each < 3; each += 1) {
      const answer = await register(ada, { token });
      expect([answer.status, await answer.json()]).toEqual([200, { status: "success" }]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(devices()).toMatchObject([
      { uid: ada.uid, token, kind: "webpush", scope: "/firebase-cloud-messaging-push-scope" },
    ]);
  });

  // C11, C28
  it("refuses a device without a valid ID token", async () => {
    const ada = await signIn();
    const past = new SignedVisitorIdentity({
      secret: await readFormSecret(server),
      clock: () => Date.now() - hours(1) - 1,
      newId: () => ada.uid,
    }).signIn(undefined);
    const before = dumpDatabase(server);
    for (const Authorization of [
      "",
      "Bearer",
      "Bearer x",
      `Basic ${ada.idToken}`,
      `Bearer ${past.idToken}`,
      `Bearer ${past.refreshToken}`,
      `Bearer ${ada.idToken}x`,
    ]) {
      const answer = await register(ada, {}, { Authorization, ...superadmin.headers });
      expect([Authorization, answer.status]).toEqual([Authorization, 401]);
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await answer.json()).toMatchObject({ code: "unknown_visitor" });
    }
    expect(dumpDatabase(server)).toBe(before);
  });

  // C28
  it("refuses a device of another visitor", async () => {
    const [ada, grace] = [await signIn(), await signIn()];
    const answer = await register(ada, { userId: grace.uid });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "foreign_device" }]);
    expect(devices().filter(({ uid }) => uid === grace.uid || uid === ada.uid)).toEqual([]);
  });

  const at = (endpoint: string) => ({ token: createSubscription(endpoint).token });
  it.each<[string, number, Record<string, unknown> | string, Record<string, string>?]>([
    // C28
    ["a token over 4 KB", 422, at(`https://fcm.googleapis.com/${"x".repeat(4096)}`)],
    // C22
    ["an address inside our network", 422, at("https://169.254.169.254/")],
    ["a token that is a list", 422, { token: [createSubscription().token] }],
    ["another app", 422, { appType: "confer-app" }],
    ["no userId", 422, { userId: undefined }],
    ["a list", 422, "[]"],
    ["broken JSON", 400, '{"token":'],
    ["a form", 415, "token=x", { "Content-Type": "application/x-www-form-urlencoded" }],
    // C7
    ["a post from another site", 403, {}, { "Sec-Fetch-Site": "cross-site" }],
    ["65 KiB", 413, "x".repeat(65 * 1024)],
  ])("refuses %s with %i", async (_, status, body, headers) => {
    const before = devices();
    expect((await register(await signIn(), body, headers)).status).toBe(status);
    expect(devices()).toEqual(before);
  });

  // C28
  it("refuses the sixty-first of a network with 429 and Retry-After", async () => {
    const address = someone();
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await register(await signIn(), {}, address)).status),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([429]);
    const late = await register(await signIn(), {}, address);
    expect(Number(late.headers.get("Retry-After"))).toBeGreaterThan(500);
  });

  it.each(["/api/visitor", "/api/DeviceToken"])("%s accepts only POST", async (path) => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
      const answer = await server.fetch(path, { method, headers: FROM_PAGE });
      expect([method, answer.status, answer.headers.get("Allow")]).toEqual([method, 405, "POST"]);
      expect(answer.headers.get("Content-Type")).toContain("application/problem+json");
    }
  });

  // C24
  it("leaves no token in the log", async () => {
    const ada = await signIn();
    const { token, endpoint } = createSubscription();
    await register(ada, { token });
    await server.fetch("/login", formPost({ email: "x" }));
    for (const secret of [ada.idToken, endpoint, JSON.parse(token).keys.auth]) {
      expect(server.output()).not.toContain(secret);
    }
  });
});

// C29
it("the push worker is never cached and loads nothing", async () => {
  const answer = await ask(server.port, "GET /firebase-messaging-sw.js");
  expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-cache"]);
  expect(answer.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(answer.body).toContain('"title":"New Notification","body":"You have a new message"');
  expect(answer.body).not.toMatch(/importScripts|["'`]fetch["'`]|onfetch|https?:\/\//);
  // The scope lies below the script, so no header has to widen it.
  expect(answer.headers["service-worker-allowed"]).toBeUndefined();
});
