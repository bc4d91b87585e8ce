import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { readServiceAccount } from "~/services/google/google-credential.server";
import { ask } from "../../server/fixtures/raw-http";
import { getFcmEnvironment, createRegistrationToken } from "../factories/firebase";
import { createSubscription } from "../factories/push";
import { FROM_PAGE, postDevice } from "../factories/push-network";
import { startGoogle } from "../fakes/google";
import { startServer } from "../server-process";
import { readRows, someone } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

const google = useFixture(() => startGoogle());
const server = useServer(() => getFcmEnvironment(google));
const superadmin = useSuperadmin(server);

const getPolicy = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await ask(server.port, `GET ${path}`, headers);
  return [answer.status, answer.headers["content-security-policy"]];
};
const CONNECTS =
  "connect-src 'self' https://firebaseinstallations.googleapis.com https://fcmregistrations.googleapis.com https://identitytoolkit.googleapis.com https://securetoken.googleapis.com;";

describe("PUSH_DRIVER=fcm", () => {
  // C16
  it.each(["/", "/early-access", "/updates", "/contact", "/?x"])(
    "allows %s to connect to Firebase's four hosts and to load no more scripts",
    async (path) => {
      const [, policy] = await getPolicy(path);
      expect(policy).toContain(`; ${CONNECTS} worker-src 'self';`);
      expect(String(policy).replace(CONNECTS, "")).not.toContain("://");
    },
  );

  it("allows no back office page and no other response to connect to them", async () => {
    for (const [path, headers] of [
      ["/login", {}],
      ["/unauthorized", {}],
      ["/admin/dashboard", superadmin.headers],
      ["/robots.txt", {}],
      ["/firebase-messaging-sw.js", {}],
      ["/api/visitor", {}],
    ] as const) {
      const [status, policy] = await getPolicy(path, headers);
      expect([path, policy]).toEqual([path, expect.not.stringContaining("googleapis")]);
      expect([path, status]).not.toEqual([path, 404]);
    }
  });

  it("gives the page the web app's settings and nothing of the service account", async () => {
    const page = await readText(server.fetch("/"));
    expect(page).toContain(google.projectId);
    expect(page).toContain("AIzaSy");
    expect(page).not.toContain("iam.gserviceaccount.com");
    expect(page).not.toContain("PRIVATE KEY");
  });

  // C29
  it("serves the push worker uncached and with nothing from elsewhere", async () => {
    const answer = await ask(server.port, "GET /firebase-messaging-sw.js");
    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-cache"]);
    expect(answer.body).not.toMatch(/importScripts|["'`]fetch["'`]|onfetch|https?:\/\//);
  });

  it("signs no visitor in itself", async () => {
    const answer = await server.fetch("/api/visitor", { method: "POST", headers: FROM_PAGE });
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "visitors_elsewhere" }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  const register = (idToken: string, body: Record<string, unknown> = {}) =>
    postDevice(server, idToken, { token: createRegistrationToken(), userId: "ada", ...body }, someone());
  const devices = () => readRows(server, "select * from devices");

  // C28
  it("stores the device of a visitor whose ID token Google signed, once", async () => {
    const token = createRegistrationToken();
    for (let each = 0; each < 2; each += 1) {
      const answer = await register(google.idToken(), { token });
      expect([answer.status, await answer.json()]).toEqual([200, { status: "success" }]);
    }
    expect(devices()).toMatchObject([
      { uid: "ada", token, kind: "fcm", endpoint: "", scope: "/firebase-cloud-messaging-push-scope" },
    ]);
  });

  // C28
  it.each<[string, number, () => string, Record<string, unknown>?]>([
    ["an ID token of another project", 401, () => google.idToken({ claims: { aud: "another" } })],
    ["an ID token of our own form", 401, () => "ada_9999999999999.x"],
    ["a device of another visitor", 403, () => google.idToken(), { userId: "grace" }],
    ["a subscription instead of a token", 422, () => google.idToken(), { token: createSubscription().token }],
  ])("refuses %s with %i", async (_, status, idToken, body) => {
    const before = devices();
    expect((await register(idToken(), body)).status).toBe(status);
    expect(devices()).toEqual(before);
  });
});

describe("an incomplete configuration of Firebase stops the start with the name of", () => {
  const complete = () => ({ ...getFcmEnvironment(google), NODE_ENV: "production" as const });

  it.each([
    "FIREBASE_PROJECT_ID",
    "FIREBASE_API_KEY",
    "FIREBASE_APP_ID",
    "FIREBASE_SENDER_ID",
    "FIREBASE_VAPID_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
  ])("%s", (name) => {
    expect(readEnvironment(complete()).PUSH_DRIVER).toBe("fcm");
    expect(() => readEnvironment({ ...complete(), [name]: "" })).toThrow(
      `${name}: is needed when PUSH_DRIVER=fcm`,
    );
    expect(readEnvironment({ ...complete(), PUSH_DRIVER: "", [name]: "" }).PUSH_DRIVER).toBe("webpush");
  });

  it("FIREBASE_MEASUREMENT_ID without PUSH_DRIVER=fcm", () => {
    const counted = { ...complete(), FIREBASE_MEASUREMENT_ID: "G-1A2B3C4D5E" };
    expect(readEnvironment(counted).FIREBASE_MEASUREMENT_ID).toBe("G-1A2B3C4D5E");
    expect(() => readEnvironment({ ...counted, PUSH_DRIVER: "webpush" })).toThrow(
      "FIREBASE_MEASUREMENT_ID: must be left out unless PUSH_DRIVER=fcm",
    );
  });

  it.each([
    ["PUSH_DRIVER", "firebase"],
    ["FIREBASE_PROJECT_ID", "Launch 1"],
    ["FIREBASE_MEASUREMENT_ID", "UA-1234"],
    ["FIREBASE_API_KEY", "not a key"],
    ["FIREBASE_APP_ID", "1:1234567890:android:0a1b2c3d"],
    ["FIREBASE_SENDER_ID", "abc"],
    ["FIREBASE_VAPID_KEY", "BK-short"],
    ["FIREBASE_PROXY", "https://proxy.example.com"],
  ])("%s=%s", (name, value) => {
    expect(() => readEnvironment({ ...complete(), [name]: value })).toThrow(EnvironmentError);
    expect(() => readEnvironment({ ...complete(), [name]: value })).toThrow(`${name}: `);
  });

  // C28
  it("FIREBASE_AUTH_EMULATOR_HOST, with which ID tokens need no signature", () => {
    const emulated = { ...complete(), FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" };
    expect(() => readEnvironment(emulated)).toThrow("FIREBASE_AUTH_EMULATOR_HOST: ");
    expect(readEnvironment({ ...emulated, NODE_ENV: "test" as const }).PUSH_DRIVER).toBe("fcm");
  });

  it("a key file that holds something else", async () => {
    const file = join(dirname(google.credentials), "other.json");
    writeFileSync(file, '{"type":"authorized_user"}');
    const start = startServer({ ...getFcmEnvironment(google), GOOGLE_APPLICATION_CREDENTIALS: file });
    await expect(start).rejects.toThrow(
      `The environment is not usable:\n  GOOGLE_APPLICATION_CREDENTIALS: ${file} is not a service account key file`,
    );
    expect(readServiceAccount("/nowhere/service-account.json")).toBeUndefined();
    expect(readServiceAccount(google.credentials)).toMatchObject({ project_id: google.projectId });
  });
});
