import { getAnalytics, setAnalyticsCollectionEnabled } from "firebase/analytics";
import type { FcmSettings } from "~/services/push/push-sender";
import { firebaseApp } from "./firebase-app.client";

/**
 * Starts Google Analytics on this page. Fetches the app's analytics configuration and Google's tag, so it is
 * called only after the visitor consented (docs/decisions/0033).
 * @returns a function that stops it on this page
 */
export function startAnalytics(settings: FcmSettings): () => void {
  const analytics = getAnalytics(firebaseApp(settings));
  setAnalyticsCollectionEnabled(analytics, true);
  return () => setAnalyticsCollectionEnabled(analytics, false);
}
