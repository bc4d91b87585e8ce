import type { BrowserContext, Request } from "@playwright/test";
import type { Google } from "../fakes/google";

/** A call of Firebase's code on a page. */
export interface GoogleCall {
  readonly host: string;
  readonly path: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/**
 * Answers what Firebase's code on a page asks of Google's hosts, as those do; anything else at Google fails. ID tokens are
 * signed as `google` signs them, so that a server that trusts it verifies them for real.
 * @param token of the device, as FCM gives it
 */
export async function answerPagesAsGoogle(context: BrowserContext, google: Google, token: string) {
  const calls: GoogleCall[] = [];
  let visitors = 0;
  const idToken = (uid: string) => google.idToken({ claims: { sub: uid, user_id: uid } });
  const getUid = (refreshToken: string | null) => /^refresh-(.+)$/.exec(refreshToken ?? "")?.[1] ?? "";

  const answers: Record<string, (request: Request) => object | undefined> = {
    "POST identitytoolkit.googleapis.com/v1/accounts:signUp": () => {
      const localId = `visitor-${++visitors}`;
      return { idToken: idToken(localId), refreshToken: `refresh-${localId}`, expiresIn: "3600", localId };
    },
    "POST identitytoolkit.googleapis.com/v1/accounts:lookup": (request) => {
      const { idToken = "" } = request.postDataJSON() as { idToken?: string };
      const claims = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
      return { users: [{ localId: claims.sub, createdAt: "1790000000000", lastLoginAt: "1790000000000" }] };
    },
    "POST securetoken.googleapis.com/v1/token": (request) => {
      const refreshToken = new URLSearchParams(request.postData() ?? "").get("refresh_token");
      const uid = getUid(refreshToken);
      const tokens = { id_token: idToken(uid), access_token: idToken(uid), refresh_token: refreshToken };
      return { ...tokens, expires_in: "3600", token_type: "Bearer", user_id: uid, project_id: "1234567890" };
    },
    [`POST firebaseinstallations.googleapis.com/v1/projects/${google.projectId}/installations`]: (
      request,
    ) => {
      const { fid } = request.postDataJSON() as { fid: string };
      const authToken = { token: "installation-token", expiresIn: "604800s" };
      return { name: `projects/1/installations/${fid}`, fid, refreshToken: "2_installation", authToken };
    },
    "GET firebase.googleapis.com/v1alpha/projects/-/apps/1:1234567890:web:0a1b2c3d4e5f/webConfig": () => ({
      appId: "1:1234567890:web:0a1b2c3d4e5f",
      measurementId: "G-1A2B3C4D5E",
    }),
    [`POST fcmregistrations.googleapis.com/v1/projects/${google.projectId}/registrations`]: () => ({ token }),
  };

  await context.route(
    /^https:\/\/[^/]*\.(?:googleapis|google|gstatic|firebaseio|googletagmanager|google-analytics)\.com\//,
    async (route) => {
      const request = route.request();
      const { host, pathname } = new URL(request.url());
      const headers = request.headers();
      calls.push({ host, path: pathname, body: request.postData() ?? "", headers });
      const answer = answers[`${request.method()} ${host}${pathname}`]?.(request);
      // The tag itself: it marks that it ran, and counts nothing.
      if (host === "www.googletagmanager.com") {
        return route.fulfill({ contentType: "text/javascript", body: "window.tagRan = true;" });
      }
      if (!answer) return route.abort();
      await route.fulfill({ json: answer, headers: { "Access-Control-Allow-Origin": "*" } });
    },
  );
  return { calls };
}
