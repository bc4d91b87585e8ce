import { initializeApp, type FirebaseApp } from "firebase/app";
import type { FcmSettings } from "~/lib/push-settings";

/** Returns the project's web app. Firebase returns the same instance for the same settings. */
export function firebaseApp({ projectId, apiKey, appId, senderId, measurementId }: FcmSettings): FirebaseApp {
  return initializeApp({
    projectId,
    apiKey,
    appId,
    messagingSenderId: senderId,
    ...(measurementId && { measurementId }),
  });
}
