import { getAnalytics, setAnalyticsCollectionEnabled } from "firebase/analytics";
import type { FcmSettings } from "~/lib/push-settings";
import { firebaseApp } from "~/components/push/firebase-app.client";

/** Starts Google Analytics; called only after the visitor consented (docs/decisions/0033). @returns a function to stop it */
export function startAnalytics(settings: FcmSettings): () => void {
  const analytics = getAnalytics(firebaseApp(settings));
  setAnalyticsCollectionEnabled(analytics, true);
  return () => setAnalyticsCollectionEnabled(analytics, false);
}
