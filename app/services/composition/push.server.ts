import { setTimeout as pause } from "node:timers/promises";
import { appTypes } from "~/content/brand";
import { EnvironmentError, type Environment } from "~/env.server";
import { paths } from "~/paths";
import { createApiBroadcasts } from "~/services/api-broadcast/api-broadcasts.server";
import { createBroadcastWorker } from "~/services/broadcast/broadcast-jobs.server";
import { createBroadcasts, createTestPush } from "~/services/broadcast/broadcasts.server";
import { readServiceAccount } from "~/services/google/google-credential.server";
import type { Idempotency } from "~/services/idempotency/idempotency.server";
import { createApplicationDevices } from "~/services/push/application-devices.server";
import { createDevices } from "~/services/push/devices.server";
import { SignedVisitorIdentity } from "~/services/push/drivers/signed-visitor-identity.server";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts } from "~/services/push/push-hosts";
import type { PushSender } from "~/services/push/push-sender";
import { TokenBucket } from "~/services/queue/token-bucket";
import type { Worker } from "~/services/queue/worker.server";
import type { Clock } from "~/services/service-deps";
import type { Foundation } from "./foundation.server";
import type { WaitFor } from "./waits.server";

/**
 * Creates the push engine that the environment chooses, and the identity of visitors for it. Firebase signs
 * visitors in on the page itself.
 * @throws EnvironmentError
 */
export async function composePush({ environment, secrets, clock, newId }: Foundation) {
  if (environment.PUSH_DRIVER === "fcm") return composeFirebase(environment, clock);
  const visitorIdentity = new SignedVisitorIdentity({
    secret: secrets.form,
    previousSecret: secrets.previousForm,
    clock,
    newId,
  });
  const pushSender = new WebPushSender({
    publicKey: secrets.vapidPublic,
    privateKey: secrets.vapidPrivate,
    hosts: createPushHosts(environment.PUSH_ALLOWED_HOSTS),
    contact: `mailto:${environment.MAIL_FROM}`,
    clock,
    transport: { connections: environment.PUSH_CONCURRENCY },
  });
  const signInVisitor = (refreshToken: string | undefined) => visitorIdentity.signIn(refreshToken);
  return { pushSender, visitorIdentity, signInVisitor };
}

/** @throws EnvironmentError */
async function composeFirebase(environment: Environment, clock: Clock) {
  // Google's packages are loaded only where they are chosen.
  const [{ openFirebaseProject }, { FcmSender }, { FirebaseVisitorIdentity }] = await Promise.all([
    import("~/services/push/drivers/firebase-project.server"),
    import("~/services/push/drivers/fcm-sender.server"),
    import("~/services/push/drivers/firebase-visitor-identity.server"),
  ]);
  const { GOOGLE_APPLICATION_CREDENTIALS: credentials = "", FIREBASE_PROJECT_ID: projectId = "" } =
    environment;
  if (!readServiceAccount(credentials)) {
    throw new EnvironmentError(
      `GOOGLE_APPLICATION_CREDENTIALS: ${credentials} is not a service account key file`,
    );
  }
  const { FIREBASE_PROXY: proxy, PUSH_CONCURRENCY: connections } = environment;
  const emulated = environment.FIREBASE_AUTH_EMULATOR_HOST !== undefined;
  const project = openFirebaseProject({ projectId, credentials, connections, proxy, emulated });
  const settings = {
    engine: "fcm" as const,
    projectId,
    publicKey: environment.FIREBASE_VAPID_KEY ?? "",
    apiKey: environment.FIREBASE_API_KEY ?? "",
    appId: environment.FIREBASE_APP_ID ?? "",
    senderId: environment.FIREBASE_SENDER_ID ?? "",
    measurementId: environment.FIREBASE_MEASUREMENT_ID,
  };
  const pushSender = new FcmSender({ project, settings, clock });
  return { pushSender, visitorIdentity: new FirebaseVisitorIdentity(project), signInVisitor: undefined };
}

/**
 * Composes devices, broadcasts and the push messages of programs.
 * @param platformWorker undefined: the platform does not take part.
 */
export function composeBroadcasts(
  { environment, database, clock, newId, random, log, instance, leaseTime }: Foundation,
  waitFor: WaitFor,
  sender: PushSender,
  idempotency: Idempotency,
  platformWorker: Worker | undefined,
) {
  const isPlatformUsed = platformWorker !== undefined;
  const broadcastWorker = createBroadcastWorker({
    database,
    clock,
    newId,
    random,
    log,
    instance,
    leaseTime,
    sender,
    appTypes,
    concurrency: environment.PUSH_CONCURRENCY,
    rate: new TokenBucket(environment.PUSH_RATE_PER_SECOND, clock()),
  });
  const broadcasts = createBroadcasts({
    database,
    clock,
    newId,
    appTypes,
    engine: sender.name,
    isPlatformUsed,
    perDay: environment.BROADCASTS_PER_DAY,
    wake: () => [broadcastWorker, platformWorker].forEach((worker) => worker?.wake()),
  });
  return {
    broadcastWorker,
    broadcasts,
    devices: createDevices({
      database,
      clock,
      newId,
      sender,
      appType: appTypes.landing,
      scope: paths.pushScope,
    }),
    applicationDevices: createApplicationDevices({
      database,
      clock,
      newId,
      sender,
      appType: appTypes.application,
    }),
    /** Whether the application's backend sends to its devices by itself, so that none are registered here. */
    areDevicesElsewhere: isPlatformUsed,
    apiBroadcasts: createApiBroadcasts({
      database,
      clock,
      broadcasts,
      idempotency,
      pause: (ms) => waitFor("broadcasts", () => pause(ms)),
    }),
    sendTestPush: createTestPush({ database, clock, newId, sender }),
  };
}
