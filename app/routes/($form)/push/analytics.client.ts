import { getAnalytics, setAnalyticsCollectionEnabled } from "firebase/analytics";
import type { FcmSettings } from "~/services/push/push-sender";
import { firebaseApp } from "./firebase-app.client";

/**
 * Counts this visit with Google Analytics. Fetches the app's analytics configuration and Google's tag, so it is called only after
 * the visitor agreed (docs/decisions/0033).
 * @returns stops counting on this page
 */
export function startAnalytics(settings: FcmSettings): () => void {
  const analytics = getAnalytics(firebaseApp(settings));
  setAnalyticsCollectionEnabled(analytics, true);
  return () => setAnalyticsCollectionEnabled(analytics, false);
}
