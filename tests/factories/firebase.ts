import { FcmSender } from "~/services/push/drivers/fcm-sender.server";
import { openFirebaseProject } from "~/services/push/drivers/firebase-project.server";
import type { FcmSettings } from "~/lib/push-settings";
import { removeAfterTest } from "../fixture";
import type { Google } from "../fakes/google";
import { createVapidKeys } from "./push";
import { createTestClock } from "./time";

let made = 0;
/** Makes a registration token of the form Firebase gives to browsers. */
export const createRegistrationToken = (): string => `device-${++made}:APA91b`.padEnd(142, "Zx0_-");

/** The settings that the Firebase console shows for a project's web app. */
const createWebAppSettings = (projectId: string): FcmSettings => ({
  engine: "fcm",
  projectId,
  publicKey: createVapidKeys().publicKey,
  apiKey: `AIzaSy${"x".repeat(33)}`,
  appId: "1:1234567890:web:0a1b2c3d4e5f",
  senderId: "1234567890",
});

/** Opens a Firebase project that reaches only the fake Google of this test. */
export const openTestProject = (
  { projectId, credentials, proxy, cert }: Google,
  different: { ca?: string } = {},
) => openFirebaseProject({ projectId, credentials, proxy, ca: cert, ...different });

/** Creates an FCM sender on such a project for the time of the test, with a clock the test moves. */
export function createFcmSender(
  google: Google,
  { timeoutMs, ...different }: { timeoutMs?: number; ca?: string } = {},
) {
  const clock = createTestClock();
  const settings = createWebAppSettings(google.projectId);
  const project = openTestProject(google, different);
  const sender = removeAfterTest(new FcmSender({ project, settings, clock, timeoutMs }));
  const createDevice = (token = createRegistrationToken()) => {
    const device = sender.readToken(token);
    if (!device) throw new Error("The token was not read");
    return device;
  };
  return { clock, settings, sender, createDevice };
}

/** Environment variables of a server with Firebase as its push engine, on the fake Google of this test. */
export function getFcmEnvironment(
  google: Pick<Google, "projectId" | "credentials" | "proxy" | "certFile">,
): Record<string, string> {
  const { projectId, publicKey, apiKey, appId, senderId } = createWebAppSettings(google.projectId);
  return {
    PUSH_DRIVER: "fcm",
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_VAPID_KEY: publicKey,
    FIREBASE_API_KEY: apiKey,
    FIREBASE_APP_ID: appId,
    FIREBASE_SENDER_ID: senderId,
    GOOGLE_APPLICATION_CREDENTIALS: google.credentials,
    FIREBASE_PROXY: google.proxy,
    // Node's own variable: certificates it trusts beside the public authorities.
    NODE_EXTRA_CA_CERTS: google.certFile,
  };
}
