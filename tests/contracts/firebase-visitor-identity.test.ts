import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FirebaseVisitorIdentity } from "~/services/push/drivers/firebase-visitor-identity.server";
import type { FirebaseProject } from "~/services/push/drivers/firebase-project.server";
import { openTestProject } from "../factories/firebase";
import { startGoogle } from "../fakes/google";
import type { Google } from "../fakes/google";
import { createSelfSignedRsa } from "../fakes/self-signed";

let google: Google;
beforeAll(async () => void (google = await startGoogle()));
afterAll(() => google.close());

const projects: FirebaseProject[] = [];
afterEach(async () => {
  google.setResponse("www.googleapis.com", undefined);
  for (const project of projects.splice(0)) await project.close();
});

/** One that has not asked Google for its certificates yet. */
function identity(timeoutMs?: number) {
  const project = openTestProject(google);
  projects.push(project);
  return new FirebaseVisitorIdentity(project, timeoutMs);
}

const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);

describe("a visitor signed in by Firebase", () => {
  it("is known by the signature of Google, whose certificates are asked for once", async () => {
    const visitors = identity();
    google.requests.length = 0;
    expect(await visitors.verify(google.idToken())).toBe("ada");
    expect(await visitors.verify(google.idToken({ claims: { sub: "grace" } }))).toBe("grace");
    expect(google.requests).toEqual([
      "GET www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
    ]);
  });

  it("may have signed in another way than anonymously", async () => {
    const firebase = { identities: {}, sign_in_provider: "password" };
    expect(await identity().verify(google.idToken({ claims: { firebase } }))).toBe("ada");
  });

  it.each<[string, () => string]>([
    ["nothing", () => ""],
    ["no token", () => "x"],
    ["three parts of nothing", () => "a.b.c"],
    ["an hour over", () => google.idToken({ claims: { exp: now() - 1 } })],
    ["for another project", () => google.idToken({ claims: { aud: "another-project" } })],
    ["by another issuer", () => google.idToken({ claims: { iss: "https://accounts.google.com" } })],
    ["about nobody", () => google.idToken({ claims: { sub: "" } })],
    ["signed by somebody else", () => google.idToken({ key: createSelfSignedRsa("somebody").key })],
    ["with a key Google does not show", () => google.idToken({ head: { kid: "another" } })],
    ["without a key's name", () => google.idToken({ head: { kid: undefined } })],
    ["of another algorithm", () => google.idToken({ head: { alg: "HS256" } })],
    [
      "with another visitor written into it",
      () => {
        const [head, , signature] = google.idToken().split(".");
        const other = google.idToken({ claims: { sub: "grace" } }).split(".")[1];
        return `${head}.${other}.${signature}`;
      },
    ],
    // As the Auth emulator makes them.
    ["not signed at all", () => `${b64({ alg: "none", typ: "JWT" })}.${google.idToken().split(".")[1]}.`],
  ])("is nobody by an ID token that is %s (C28)", async (_, token) => {
    expect(await identity().verify(token())).toBeUndefined();
  });

  it("is not called a forger while Google's certificates cannot be had", async () => {
    const visitors = identity(500);
    for (const trouble of [{ status: 500, body: "<html>" }, { status: 404 }, "drop", "silent"] as const) {
      google.setResponse("www.googleapis.com", trouble);
      await expect(visitors.verify(google.idToken())).rejects.toThrow();
    }
    google.setResponse("www.googleapis.com", undefined);
    expect(await visitors.verify(google.idToken())).toBe("ada");
  });
});
