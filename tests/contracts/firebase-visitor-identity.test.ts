import { afterEach, describe, expect, it } from "vitest";
import { FirebaseVisitorIdentity } from "~/services/push/drivers/firebase-visitor-identity.server";
import { removeAfterTest, useFixture } from "../fixture";
import { openTestProject } from "../factories/firebase";
import { startGoogle } from "../fakes/google";
import { createSelfSignedRsa } from "../fakes/self-signed";

const google = useFixture(startGoogle);
afterEach(() => google.setResponse("www.googleapis.com", undefined));

/** Creates an identity that has not fetched Google's certificates yet. */
function createIdentity(timeoutMs?: number) {
  const project = removeAfterTest(openTestProject(google));
  return new FirebaseVisitorIdentity(project, timeoutMs);
}

const b64 = (value: object | null) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);

describe("a visitor signed in by Firebase", () => {
  it("is verified by Google's signature, whose certificates are fetched once", async () => {
    const visitors = createIdentity();
    google.requests.length = 0;
    expect(await visitors.verify(google.idToken())).toBe("ada");
    expect(await visitors.verify(google.idToken({ claims: { sub: "grace" } }))).toBe("grace");
    expect(google.requests).toEqual([
      "GET www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
    ]);
  });

  it("may have signed in another way than anonymously", async () => {
    const firebase = { identities: {}, sign_in_provider: "password" };
    expect(await createIdentity().verify(google.idToken({ claims: { firebase } }))).toBe("ada");
  });

  // C28
  it.each<[string, () => string]>([
    ["empty", () => ""],
    ["no JWT", () => "x"],
    ["three parts without meaning", () => "a.b.c"],
    ["expired", () => google.idToken({ claims: { exp: now() - 1 } })],
    ["for another project", () => google.idToken({ claims: { aud: "another-project" } })],
    ["by another issuer", () => google.idToken({ claims: { iss: "https://accounts.google.com" } })],
    ["without a subject", () => google.idToken({ claims: { sub: "" } })],
    ["signed with another key", () => google.idToken({ key: createSelfSignedRsa("somebody").key })],
    ["with an unknown key id", () => google.idToken({ head: { kid: "another" } })],
    ["without a key id", () => google.idToken({ head: { kid: undefined } })],
    ["of another algorithm", () => google.idToken({ head: { alg: "HS256" } })],
    [
      "changed to another visitor",
      () => {
        const [head, , signature] = google.idToken().split(".");
        const other = google.idToken({ claims: { sub: "grace" } }).split(".")[1];
        return `${head}.${other}.${signature}`;
      },
    ],
    // As the Auth emulator makes them.
    ["not signed at all", () => `${b64({ alg: "none", typ: "JWT" })}.${google.idToken().split(".")[1]}.`],
    ["of no JSON", () => `${b64({ alg: "RS256", typ: "JWT", kid: "x" })}.bm9wZQ.x`],
    ["of nothing", () => `${b64({ alg: "RS256", typ: "JWT", kid: "x" })}.${b64(null)}.x`],
  ])("is not verified by an ID token that is %s", async (_, token) => {
    expect(await createIdentity().verify(token())).toBeUndefined();
  });

  it("is an error, not a forgery, while Google's certificates cannot be fetched", async () => {
    const visitors = createIdentity(500);
    for (const failure of [{ status: 500, body: "<html>" }, { status: 404 }, "drop", "silent"] as const) {
      google.setResponse("www.googleapis.com", failure);
      await expect(visitors.verify(google.idToken())).rejects.toThrow();
    }
    google.setResponse("www.googleapis.com", undefined);
    expect(await visitors.verify(google.idToken())).toBe("ada");
  });
});
