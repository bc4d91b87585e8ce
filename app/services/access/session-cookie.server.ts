import { createCookie } from "@remix-run/node";
import { createHmac } from "node:crypto";
import { days } from "~/lib/durations";
import { pendingLoginCookieName, sessionCookieName } from "~/lib/session-cookie-name";
import { PENDING_MS } from "~/services/second-factor/pending-logins.server";
import { ABSOLUTE_MS } from "~/services/sessions/sessions.server";

export type SessionCookie = ReturnType<typeof createSessionCookie>;

type CookieSettings = { secret: string; secure: boolean };

/** Time by which the cookie outlives its session, so that people are told why they have to log in again. */
const EXPLAINED_MS = days(1);

/** Creates the cookie that carries the session's opaque id. */
export const createSessionCookie = (settings: CookieSettings) =>
  createLoginCookie(sessionCookieName(settings.secure), ABSOLUTE_MS + EXPLAINED_MS, settings);

/** Creates the cookie that carries a pending login from the password to the code. */
export const createPendingLoginCookie = (settings: CookieSettings) =>
  createLoginCookie(pendingLoginCookieName(settings.secure), PENDING_MS, settings);

/**
 * Signed, HttpOnly, SameSite=Lax (links from emails keep the session; cross-site posts are stopped by the
 * guard, C7). Over https it is Secure and bound to the host by its name.
 */
function createLoginCookie(name: string, maxAgeMs: number, { secret, secure }: CookieSettings) {
  const cookie = createCookie(name, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
    // A secret for each name: a signature made for one cookie is none of another (hardening C47).
    secrets: [createHmac("sha256", secret).update(`cookie ${name}`).digest("base64url")],
    maxAge: maxAgeMs / 1000,
  });
  async function parse(cookies: string | null): Promise<string | undefined> {
    const value: unknown = await cookie.parse(cookies);
    return typeof value === "string" && value !== "" ? value : undefined;
  }
  return {
    read: (request: Request): Promise<string | undefined> => parse(request.headers.get("Cookie")),
    /** Returns the value of the cookie in a Cookie header; undefined without one that we signed. */
    parse,
    /** Returns the Set-Cookie value that sets the cookie. */
    issue: (value: string): Promise<string> => cookie.serialize(value),
    /** Returns the Set-Cookie value that clears the cookie. */
    clear: (): Promise<string> => cookie.serialize("", { maxAge: 0 }),
  };
}
