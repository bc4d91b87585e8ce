import { deleteApp, initializeApp } from "firebase/app";
import { connectAuthEmulator, inMemoryPersistence, initializeAuth, signInAnonymously } from "firebase/auth";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FirebaseVisitorIdentity } from "~/services/push/drivers/firebase-visitor-identity.server";
import { openFirebaseProject } from "~/services/push/drivers/firebase-project.server";
import { createSelfSignedRsa } from "../fakes/self-signed";
import { temporaryFolder } from "../temporary-folder";

/** Set by firebase-tools for what it runs (npm run test:firebase). */
const { FIREBASE_AUTH_EMULATOR_HOST: emulator = "", GCLOUD_PROJECT: projectId = "" } = process.env;

/** The server's side. */
function identity(project = projectId) {
  const folder = temporaryFolder();
  const credentials = join(folder, "service-account.json");
  const { key: private_key } = createSelfSignedRsa("service account");
  const account = {
    type: "service_account",
    project_id: project,
    client_email: "push@example.com",
    private_key,
  };
  writeFileSync(credentials, JSON.stringify(account));
  const opened = openFirebaseProject({ projectId: project, credentials, emulated: true });
  onTestFinished(async () => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return new FirebaseVisitorIdentity(opened);
}

/** The page's side. */
function page() {
  const app = initializeApp({ projectId, apiKey: "any" }, crypto.randomUUID());
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, `http://${emulator}`, { disableWarnings: true });
  onTestFinished(() => deleteApp(app));
  return auth;
}

it("Firebase's visitor is the same one to the server", async () => {
  expect(emulator).not.toBe("");
  const visitors = identity();
  const { user } = await signInAnonymously(page());
  expect(await visitors.verify(await user.getIdToken())).toBe(user.uid);
  const renewed = await user.getIdToken(true);
  expect(await visitors.verify(renewed)).toBe(user.uid);
  const { user: other } = await signInAnonymously(page());
  expect(other.uid).not.toBe(user.uid);
  expect(await visitors.verify(await other.getIdToken())).toBe(other.uid);
});

it("a visitor of another project is nobody", async () => {
  const { user } = await signInAnonymously(page());
  expect(await identity("demo-another").verify(await user.getIdToken())).toBeUndefined();
});
