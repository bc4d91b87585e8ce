import { pushMessages } from "~/content/push-messages";
import { days, seconds } from "~/lib/durations";
import { readStored, writeStored } from "~/lib/local-storage";
import { paths } from "~/paths";
import type { PushSettings } from "~/lib/push-settings";
import { isPushSupported, KEYS } from "./push-permission";
import { saveToken, webPushEngine, type PageEngine } from "./web-push-engine";

const { internal } = pushMessages;
/** How long to wait for the worker to be ready (specification, section 9). */
const READY_MS = seconds(10);

/** Least time a second caller waits (specification, section 9). */
const GUARD_MS = seconds(1);
const GUARD = "push-setup";

/** Age at which a registration is renewed (specification, section 9). */
const REGISTRATION_MS = days(7);

/**
 * Registers this browser for push messages, or finds that it is registered (specification, section 4).
 * @returns its token. @throws a sentence for the console (section 8); nothing is marked as initialised then
 */
export async function setUpPush(settings: PushSettings): Promise<string> {
  if (!isPushSupported()) throw new Error(internal.unsupported);
  // One lock for all tabs of this browser, released when its tab is closed.
  const token = await navigator.locks.request(GUARD, { ifAvailable: true }, async (lock) =>
    lock ? register(settings) : undefined,
  );
  if (token !== undefined) return token;
  await new Promise((resolve) => setTimeout(resolve, GUARD_MS));
  // The lock waits until the first caller has finished; its registration is then found.
  return navigator.locks.request(GUARD, () => register(settings));
}

async function register(settings: PushSettings): Promise<string> {
  try {
    if ((await Notification.requestPermission()) !== "granted") throw new Error(internal.denied);
    const engine = await pageEngine(settings);
    const worker = await registerPushWorker();
    const visitor = await engine.signIn();
    const known = findRegistration(visitor.uid);
    // No record, or another visitor's: start over.
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

/** Loads the engine; Firebase's code only where it is configured and the visitor agreed. */
async function pageEngine(settings: PushSettings): Promise<PageEngine> {
  if (settings.engine === "webpush") return webPushEngine(settings);
  return (await import("./fcm-engine.client")).fcmEngine(settings);
}

/** @throws when the worker is not ready in time */
async function registerPushWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(paths.pushWorker, { scope: paths.pushScope });
  if (registration.active) return registration;
  const worker = registration.installing ?? registration.waiting;
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(internal.workerNotReady));
    const timer = setTimeout(fail, READY_MS);
    const look = () => {
      if (worker?.state !== "activated" && worker?.state !== "redundant") return;
      clearTimeout(timer);
      if (worker.state === "activated") resolve();
      else fail();
    };
    worker?.addEventListener("statechange", look);
    look();
  });
  return registration;
}

/** The last registration sent to the server, and when (epoch milliseconds). */
interface RegistrationRecord {
  readonly token: string;
  readonly createdAt: number;
}

/** Returns whether the device must be registered again: its token changed, or the record is too old. */
export function isStale(record: RegistrationRecord | undefined, token: string, now: number): boolean {
  if (record?.token !== token) return true;
  // A record from the future was made before the clock was set back.
  return now - record.createdAt >= REGISTRATION_MS || record.createdAt > now;
}

/** Reads the record under the specification's keys; undefined unless it belongs to this visitor. */
function findRegistration(userId: string): RegistrationRecord | undefined {
  if (readStored(KEYS.initialized) !== "true" || readStored(KEYS.userId) !== userId) return undefined;
  return parseRecord(readStored(KEYS.registration));
}

function keepRegistration(userId: string, record: RegistrationRecord): void {
  writeStored(KEYS.userId, userId);
  writeStored(KEYS.registration, JSON.stringify(record));
  writeStored(KEYS.initialized, "true");
}

function forgetRegistration(): void {
  for (const key of [KEYS.initialized, KEYS.userId, KEYS.registration]) writeStored(key, null);
}

/** Parses untrusted storage: any script of the page's origin can write there. */
export function parseRecord(text: string | null): RegistrationRecord | undefined {
  try {
    const { token, createdAt } = JSON.parse(text ?? "") as Record<string, unknown>;
    return typeof token === "string" && typeof createdAt === "number" ? { token, createdAt } : undefined;
  } catch {
    return undefined;
  }
}
