import { initializeApp } from "firebase/app";
import type { FirebaseApp } from "firebase/app";
import type { FcmSettings } from "~/services/push/push-sender";

/** The project's web app. Firebase gives the same one whenever it is asked with the same settings. */
export function firebaseApp({ projectId, apiKey, appId, senderId, measurementId }: FcmSettings): FirebaseApp {
  return initializeApp({
    projectId,
    apiKey,
    appId,
    messagingSenderId: senderId,
    ...(measurementId && { measurementId }),
  });
}
