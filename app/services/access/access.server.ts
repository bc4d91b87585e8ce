import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import type { RequestOrigin } from "~/services/accounts/accounts.server";
import type { Denials } from "~/services/audit/denials.server";
import type { Sessions, SignedIn } from "~/services/sessions/sessions.server";
import type { SessionCookie } from "./session-cookie.server";

export type Access = ReturnType<typeof createAccess>;

/**
 * The guards of the back office: the first line of every loader and action under /admin calls one of them. Each throws a
 * redirect where the specification (section 2) sends the person instead.
 */
export function createAccess(has: {
  sessions: Sessions;
  cookie: SessionCookie;
  denials: Denials;
  originOf: (request: Request) => RequestOrigin;
}) {
  const { sessions, cookie, denials, originOf } = has;
  return {
    /** The signed-in person, or undefined. For pages that are open to all. */
    async visitor(request: Request): Promise<SignedIn | undefined> {
      const id = await cookie.read(request);
      return id ? sessions.find(id) : undefined;
    },

    /** Someone signed in, whose password is their own. */
    async requireAccount(request: Request): Promise<SignedIn> {
      const person = await this.requireAnyPassword(request);
      if (person.passwordIsTemporary) throw seeOther(paths.passwordReset);
      return person;
    },

    /** Someone signed in, even with a temporary password: for the page that changes it, and nothing else. */
    async requireAnyPassword(request: Request): Promise<SignedIn> {
      const person = await this.visitor(request);
      if (!person) throw seeOther(loginPathFor(request));
      return person;
    },

    /** Someone signed in with this role. Who has another one is written down (C36). */
    async requireRole(request: Request, role: SignedIn["role"]): Promise<SignedIn> {
      const person = await this.requireAccount(request);
      if (person.role === role) return person;
      await denials.record(person, new URL(request.url).pathname, originOf(request));
      throw seeOther(paths.unauthorized);
    },

    /** Ends the session of this request; resolves with the Set-Cookie value that forgets it. */
    async signOut(request: Request): Promise<string> {
      const id = await cookie.read(request);
      if (id) await sessions.end(id, originOf(request));
      return cookie.clear();
    },
  };
}

function loginPathFor(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return `${paths.login}?${new URLSearchParams({ redirectTo: pathname + search })}`;
}
