import { seconds } from "~/lib/durations";
import { pushMessages } from "~/content/push-messages";
import type { PushSettings } from "~/services/push/push-sender";
import { registerPushWorker } from "./push-worker";
import { forgetRegistration, isStale, keepRegistration, registrationOf } from "./registration-record";
import { isPushSupported } from "./standing";
import { saveToken } from "./visitor-api";
import { pageEngine } from "./page-engine";

const { internal } = pushMessages;

/** How long a second caller leaves the first one alone (specification, section 9). */
const GUARD_MS = seconds(1);
const GUARD = "push-setup";

/**
 * Registers this browser for push messages, or finds that it is registered (specification, section 4, push setup flow).
 * @returns its token.
 * @throws Error with a sentence for the console (section 8); nothing is marked as initialised then.
 */
export async function setUpPush(settings: PushSettings): Promise<string> {
  if (!isPushSupported()) throw new Error(internal.unsupported);
  // One lock for all tabs of this browser; it is free again when its tab is closed.
  const token = await navigator.locks.request(GUARD, { ifAvailable: true }, async (lock) =>
    lock ? setUp(settings) : undefined,
  );
  if (token !== undefined) return token;
  await new Promise((resolve) => setTimeout(resolve, GUARD_MS));
  // What the first caller did is then found done.
  return navigator.locks.request(GUARD, () => setUp(settings));
}

async function setUp(settings: PushSettings): Promise<string> {
  try {
    if ((await Notification.requestPermission()) !== "granted") throw new Error(internal.denied);
    const engine = await pageEngine(settings);
    const worker = await registerPushWorker();
    const visitor = await engine.signIn();
    const known = registrationOf(visitor.uid);
    // Another visitor's, or none: everything begins anew.
    if (!known) forgetRegistration();
    const token = await engine.token(worker);
    if (!token) throw new Error(internal.noToken);
    const now = Date.now();
    if (isStale(known, token, now)) {
      await saveToken(token, visitor);
      keepRegistration(visitor.uid, { token, createdAt: now });
    }
    return token;
  } catch (error) {
    forgetRegistration();
    throw error;
  }
}
