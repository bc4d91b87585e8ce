import { brand } from "~/content/brand";
import { pushMessages } from "~/content/push-messages";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { WebPushSettings } from "~/services/push/push-sender";

/** Specification, section 9: the short network timeout. */
const TIMEOUT_MS = seconds(30);

interface SignedInVisitor {
  readonly uid: string;
  readonly idToken: string;
}

/** What differs from one push engine to another on the page. */
export interface PageEngine {
  /** The visitor this browser was before, or a new one; with a fresh ID token either way. */
  signIn(): Promise<SignedInVisitor>;
  /** This browser's token: the one it has, or a new one. */
  token(registration: ServiceWorkerRegistration): Promise<string>;
}

/** Standard Web Push: the token is the subscription. */
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
      const known = await keptSubscription(pushManager, publicKey);
      if (known) return JSON.stringify(known);
      const options = { userVisibleOnly: true, applicationServerKey: publicKey };
      return JSON.stringify(await pushManager.subscribe(options));
    },
  };
}

/**
 * The subscription this browser has with our key. A browser keeps one and does not change its key, so one with another key goes:
 * the server's was replaced, or another engine made it.
 */
export async function keptSubscription(pushManager: PushManager, publicKey: string) {
  const known = await pushManager.getSubscription();
  if (known && isMadeWith(known, publicKey)) return known;
  await known?.unsubscribe();
  return undefined;
}

/** What a subscription with another key is sent, it never gets. */
function isMadeWith({ options }: PushSubscription, publicKey: string): boolean {
  if (!options.applicationServerKey) return true;
  const bytes = String.fromCharCode(...new Uint8Array(options.applicationServerKey));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === publicKey;
}

/** Tells the server the token of whatever engine. @throws unless the server has kept the device. */
export async function saveToken(token: string, { uid, idToken }: SignedInVisitor): Promise<void> {
  const response = await fetch(paths.deviceTokenApi, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ token, userId: uid, appType: brand.appTypes.landing }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(pushMessages.internal.notSaved);
}
