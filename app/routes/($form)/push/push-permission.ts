import { days } from "~/lib/durations";

/** How long a closed card stays away in that browser (docs/decisions/). */
const CLOSED_MS = days(30);

/** In local storage: when the card was closed, in epoch milliseconds, and what the specification (section 9) keeps. */
export const KEYS = {
  dismissed: "fcm_prompt_dismissed",
  initialized: "fcm_initialized",
  userId: "fcm_userId",
  registration: "fcm_registration",
  /** "yes" while this visitor lets Google Analytics count their visits. */
  analytics: "analytics_consent",
} as const;

/** What there is to do about push in this browser: ask, register silently, or nothing. */
export type PushPermission = "ask" | "granted" | "none";

export const isPushSupported = (): boolean =>
  "Notification" in window && "serviceWorker" in navigator && "PushManager" in window;

/** Where push cannot work (no support, or iOS outside the home screen, which says the same) nobody is asked. */
export function getPushPermission(): PushPermission {
  if (!isPushSupported()) return "none";
  if (Notification.permission === "granted") return "granted";
  return Notification.permission === "default" && !isClosed() ? "ask" : "none";
}

function isClosed(): boolean {
  const age = Date.now() - Number(stored(KEYS.dismissed) ?? 0);
  return age >= 0 && age < CLOSED_MS;
}

/** Storage may be forbidden; then nothing is remembered. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param value null takes it away. */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    return;
  }
}
