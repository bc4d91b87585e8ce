import {
  browserLocalPersistence,
  indexedDBLocalPersistence,
  initializeAuth,
  signInAnonymously,
} from "firebase/auth";
import type { Auth, User } from "firebase/auth";
import { getMessaging, getToken } from "firebase/messaging";
import type { FcmSettings } from "~/lib/push-settings";
import { firebaseApp } from "./firebase-app.client";
import { getOwnSubscription, type PageEngine } from "./web-push-engine";

/** Creates the push engine for Firebase. Not with `getAuth`, which includes the code of sign-in popups. */
export function fcmEngine(settings: FcmSettings): PageEngine {
  const { publicKey } = settings;
  const app = firebaseApp(settings);
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  return {
    async signIn() {
      await auth.authStateReady();
      return (await getReturningUser(auth)) ?? (await withToken((await signInAnonymously(auth)).user));
    },
    async token(serviceWorkerRegistration) {
      // Removes a subscription with another key, such as one made for the Web Push engine: Firebase would reuse it.
      await getOwnSubscription(serviceWorkerRegistration.pushManager, publicKey);
      return getToken(getMessaging(app), { vapidKey: publicKey, serviceWorkerRegistration });
    },
  };
}

/** Returns the user this browser remembers. If the project has deleted that account, Firebase signs it out. */
async function getReturningUser(auth: Auth) {
  const user = auth.currentUser;
  if (!user) return undefined;
  try {
    return await withToken(user);
  } catch (error) {
    if (auth.currentUser) throw error;
    return undefined;
  }
}

/** Forces a fresh ID token (specification, section 7). */
const withToken = async (user: User) => ({ uid: user.uid, idToken: await user.getIdToken(true) });
