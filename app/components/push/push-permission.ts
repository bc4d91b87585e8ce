import { days } from "~/lib/durations";
import { readStored } from "~/lib/local-storage";

/** How long a dismissed card stays hidden in that browser (docs/decisions/0065). */
const DISMISSED_MS = days(30);

/** Keys in local storage. `initialized`, `userId` and `registration` are the specification's (section 9). */
export const KEYS = {
  /** When the card was dismissed, in epoch milliseconds. */
  dismissed: "fcm_prompt_dismissed",
  initialized: "fcm_initialized",
  userId: "fcm_userId",
  registration: "fcm_registration",
  /** "yes" while this visitor consents to Google Analytics. */
  analytics: "analytics_consent",
} as const;

/** The next step for push in this browser: ask for permission, register silently, or nothing. */
type PushPermission = "ask" | "granted" | "none";

export const isPushSupported = (): boolean =>
  "Notification" in window && "serviceWorker" in navigator && "PushManager" in window;

/** Returns "none" where push cannot work, as on iOS outside the home screen, which reports no support. */
export function getPushPermission(): PushPermission {
  if (!isPushSupported()) return "none";
  if (Notification.permission === "granted") return "granted";
  return Notification.permission === "default" && !isDismissed() ? "ask" : "none";
}

function isDismissed(): boolean {
  const age = Date.now() - Number(readStored(KEYS.dismissed) ?? 0);
  return age >= 0 && age < DISMISSED_MS;
}
