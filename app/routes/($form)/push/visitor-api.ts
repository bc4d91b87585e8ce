import { brand } from "~/content/brand";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import { pushMessages } from "~/content/push-messages";

/** Specification, section 9: the short network timeout. */
const TIMEOUT_MS = seconds(30);

export interface SignedInVisitor {
  readonly uid: string;
  readonly idToken: string;
}

/** The visitor this browser was before, or a new one; with a fresh ID token either way. */
export async function signIn(): Promise<SignedInVisitor> {
  const answer = await fetch(paths.visitorApi, { method: "POST", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(pushMessages.internal.notSignedIn);
  return (await answer.json()) as SignedInVisitor;
}

/** @throws unless the server has kept the device. */
export async function saveToken(token: string, { uid, idToken }: SignedInVisitor): Promise<void> {
  const answer = await fetch(paths.deviceTokenApi, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ token, userId: uid, appType: brand.appTypes.landing }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(pushMessages.internal.notSaved);
}
