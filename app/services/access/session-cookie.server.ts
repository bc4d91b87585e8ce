import { createCookie } from "@remix-run/node";
import { sessionCookieName } from "~/lib/session-cookie-name";
import { ABSOLUTE_MS } from "~/services/sessions/sessions.server";

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/**
 * The cookie that carries the session's opaque id, signed, HttpOnly, SameSite=Lax (links from mails keep the session;
 * cross-site posts are stopped by the guard, C7). Over https it is Secure and bound to the host by its name.
 */
export function createSessionCookie({ secret, secure }: { secret: string; secure: boolean }) {
  const cookie = createCookie(sessionCookieName(secure), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
    secrets: [secret],
    maxAge: ABSOLUTE_MS / 1000,
  });
  return {
    async read(request: Request): Promise<string | undefined> {
      const value: unknown = await cookie.parse(request.headers.get("Cookie"));
      return typeof value === "string" && value !== "" ? value : undefined;
    },
    /** The Set-Cookie value that signs in. */
    issue: (sessionId: string): Promise<string> => cookie.serialize(sessionId),
    /** The Set-Cookie value that signs out. */
    clear: (): Promise<string> => cookie.serialize("", { maxAge: 0 }),
  };
}
