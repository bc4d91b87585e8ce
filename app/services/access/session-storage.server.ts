import {
  createCookie,
  createCookieSessionStorage,
  createSessionStorage,
  type Cookie,
  type SessionStorage,
} from "@remix-run/node";
import { createHmac } from "node:crypto";
import { days } from "~/lib/durations";
import { pendingLoginCookieName, sessionCookieName } from "~/lib/session-cookie-name";
import { PENDING_MS, type PendingLogin } from "~/services/second-factor/pending-logins.server";
import {
  ABSOLUTE_MS,
  type Sessions,
  type SessionStart,
  type SessionState,
} from "~/services/sessions/sessions.server";
import { LoginError } from "./login-error";

/** A login sets `account` and `origin`; every request after it reads `user` and `lastSeenAt`. */
type SessionData = SessionStart & SessionState;

export type LoginSessionStorage = SessionStorage<SessionData, object>;
export type PendingLoginStorage = ReturnType<typeof createPendingLoginStorage>;

interface CookieSettings {
  readonly secret: string;
  /** Whether the product is served over https. */
  readonly secure: boolean;
}

/** Time by which the cookie outlives its session, so that people are told why they have to log in again. */
const EXPLAINED_MS = days(1);

/** Creates the cookie that carries a session's opaque id. */
export const createSessionCookie = (settings: CookieSettings): Cookie =>
  createLoginCookie(sessionCookieName(settings.secure), ABSOLUTE_MS + EXPLAINED_MS, settings);

/**
 * Creates the storage of sessions over the table `sessions`. A session whose cookie is ours and that has ended keeps its
 * id and has no data. Its end is by the times in its row, not by the cookie's.
 */
export function createLoginSessionStorage(cookie: Cookie, sessions: Sessions): LoginSessionStorage {
  return createSessionStorage<SessionData, object>({
    cookie,
    /** @throws LoginError when the account has changed since its credentials were verified. */
    async createData({ account, origin }) {
      if (!account || !origin) throw new Error("A session starts with an account and its origin");
      const id = await sessions.create({ account, origin });
      if (id === undefined) throw new LoginError("over", { email: account.email });
      return id;
    },
    async readData(id) {
      return (await sessions.read(id)) ?? null;
    },
    /** Records a use of the session: nothing else of it changes. */
    async updateData(id, { lastSeenAt }) {
      if (lastSeenAt !== undefined) await sessions.recordUse(id, { lastSeenAt });
    },
    async deleteData(id) {
      // A request without our cookie has no session to delete.
      if (id !== "") await sessions.remove(id);
    },
  });
}

/** Creates the storage of logins between password and code: in their cookie alone, signed, for five minutes. */
export const createPendingLoginStorage = (settings: CookieSettings) =>
  createCookieSessionStorage<{ pendingLogin: PendingLogin }>({
    cookie: createLoginCookie(pendingLoginCookieName(settings.secure), PENDING_MS, settings),
  });

/**
 * Signed, HttpOnly, SameSite=Lax (links from emails keep the session; cross-site posts are stopped by the
 * guard, C7). Over https it is Secure and bound to the host by its name.
 */
function createLoginCookie(name: string, maxAgeMs: number, { secret, secure }: CookieSettings): Cookie {
  return createCookie(name, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
    // A secret for each name: a signature made for one cookie is none of another (hardening C47).
    secrets: [createHmac("sha256", secret).update(`cookie ${name}`).digest("base64url")],
    maxAge: maxAgeMs / 1000,
  });
}
