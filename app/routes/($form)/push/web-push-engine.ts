import type { WebPushSettings } from "~/services/push/push-sender";
import { signIn, type SignedInVisitor } from "./visitor-api";

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
    signIn,
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
