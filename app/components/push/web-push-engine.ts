import { appTypes } from "~/content/brand";
import { pushMessages } from "~/content/push-messages";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { WebPushSettings } from "~/lib/push-settings";

/** Specification, section 9: the short network timeout. */
const TIMEOUT_MS = seconds(30);

interface SignedInVisitor {
  readonly uid: string;
  readonly idToken: string;
}

/** The browser side of a push engine. */
export interface PageEngine {
  /** Signs in as the visitor this browser was before, or as a new one; with a fresh ID token either way. */
  signIn(): Promise<SignedInVisitor>;
  /** Returns this browser's existing token, or a new one. */
  token(registration: ServiceWorkerRegistration): Promise<string>;
}

/** Creates the engine for standard Web Push: the token is the subscription. */
export function webPushEngine({ publicKey }: WebPushSettings): PageEngine {
  return {
    async signIn() {
      const response = await fetch(paths.visitorApi, {
        method: "POST",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(pushMessages.internal.notSignedIn);
      return (await response.json()) as SignedInVisitor;
    },
    async token({ pushManager }) {
      const known = await getOwnSubscription(pushManager, publicKey);
      if (known) return JSON.stringify(known);
      const options = { userVisibleOnly: true, applicationServerKey: publicKey };
      return JSON.stringify(await pushManager.subscribe(options));
    },
  };
}

/** Returns this browser's subscription if it has our key. Another one is removed: a browser has one, with a fixed key. */
export async function getOwnSubscription(pushManager: PushManager, publicKey: string) {
  const known = await pushManager.getSubscription();
  if (known && hasKey(known, publicKey)) return known;
  await known?.unsubscribe();
  return undefined;
}

/** A subscription with another key never receives our messages. */
function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  if (!options.applicationServerKey) return true;
  const bytes = String.fromCharCode(...new Uint8Array(options.applicationServerKey));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === publicKey;
}

/** Sends the token of either engine to the server. @throws unless the server stored the device */
export async function saveToken(token: string, { uid, idToken }: SignedInVisitor): Promise<void> {
  const response = await fetch(paths.deviceTokenApi, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ token, userId: uid, appType: appTypes.landing }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(pushMessages.internal.notSaved);
}
