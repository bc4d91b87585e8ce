import { EnvironmentError } from "~/env.server";
import type { Environment } from "~/env.server";
import type { Clock } from "~/services/clock";
import { readServiceAccount } from "~/services/google/service-account.server";
import type { NewId } from "~/services/ids.server";
import { SignedVisitorIdentity } from "~/services/push/drivers/signed-visitor-identity.server";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts } from "~/services/push/push-hosts";
import type { PushSender } from "~/services/push/push-sender";
import type { VisitorIdentity } from "~/services/push/visitor-identity";
import type { Secrets } from "~/services/secrets/secrets.server";

interface Push {
  readonly pushSender: PushSender;
  readonly visitorIdentity: VisitorIdentity;
  readonly signInVisitor: SignedVisitorIdentity["signIn"] | undefined;
}

/**
 * The push engine the environment chose, and who visitors are to it. Firebase signs them in by itself, on the page.
 * @throws EnvironmentError
 */
export async function pushFor(
  environment: Environment,
  has: { secrets: Secrets; clock: Clock; newId: NewId },
): Promise<Push> {
  const { secrets, clock, newId } = has;
  if (environment.PUSH_DRIVER === "fcm") return firebaseFor(environment, clock);
  const visitorIdentity = new SignedVisitorIdentity({ secret: secrets.form, clock, newId });
  const pushSender = new WebPushSender({
    ...{ publicKey: secrets.vapidPublic, privateKey: secrets.vapidPrivate },
    hosts: createPushHosts(environment.PUSH_ALLOWED_HOSTS),
    contact: `mailto:${environment.MAIL_FROM}`,
    clock,
    transport: { connections: environment.PUSH_CONCURRENCY },
  });
  const signInVisitor = (refreshToken: string | undefined) => visitorIdentity.signIn(refreshToken);
  return { pushSender, visitorIdentity, signInVisitor };
}

/** @throws EnvironmentError */
async function firebaseFor(environment: Environment, clock: Clock): Promise<Push> {
  // Google's packages are loaded only where they are chosen.
  const [{ openFirebaseProject }, { FcmSender }, { FirebaseVisitorIdentity }] = await Promise.all([
    import("~/services/push/drivers/firebase-project.server"),
    import("~/services/push/drivers/fcm-sender.server"),
    import("~/services/push/drivers/firebase-visitor-identity.server"),
  ]);
  const { GOOGLE_APPLICATION_CREDENTIALS: credentials = "", FIREBASE_PROJECT_ID: projectId = "" } =
    environment;
  if (!readServiceAccount(credentials)) {
    const problem = `GOOGLE_APPLICATION_CREDENTIALS: ${credentials} is no service account's key file`;
    throw new EnvironmentError(`The environment is not usable:\n  ${problem}`);
  }
  const { FIREBASE_PROXY: proxy, FIREBASE_AUTH_EMULATOR_HOST: emulator } = environment;
  const connections = environment.PUSH_CONCURRENCY;
  const emulated = emulator !== undefined;
  const project = openFirebaseProject({ projectId, credentials, connections, proxy, emulated });
  const settings = {
    ...{ engine: "fcm" as const, projectId, publicKey: environment.FIREBASE_VAPID_KEY ?? "" },
    ...{ apiKey: environment.FIREBASE_API_KEY ?? "", appId: environment.FIREBASE_APP_ID ?? "" },
    senderId: environment.FIREBASE_SENDER_ID ?? "",
    measurementId: environment.FIREBASE_MEASUREMENT_ID,
  };
  const pushSender = new FcmSender({ project, settings, clock });
  return { pushSender, visitorIdentity: new FirebaseVisitorIdentity(project), signInVisitor: undefined };
}
