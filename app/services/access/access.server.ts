import { paths } from "~/paths";
import { passOn, seeOther } from "~/redirects.server";
import type { RequestOrigin } from "~/services/accounts/accounts.server";
import type { Denials } from "~/services/audit/denials.server";
import type { Sessions, SignedIn } from "~/services/sessions/sessions.server";
import type { SessionCookie } from "./session-cookie.server";

/**
 * The guards of the back office: the first line of every loader and action under /admin calls one of them. Each throws a
 * redirect where the specification (section 2) sends the person instead.
 */
export function createAccess(has: {
  sessions: Sessions;
  cookie: SessionCookie;
  denials: Denials;
  originOf: (request: Request) => RequestOrigin;
  /** The same for every loader of one request, each of which has a Request of its own. */
  requestContext: () => object | undefined;
  /** REQUIRE_2FA: whoever has no second factor sets one up before anything else. */
  requiresSecondFactor: boolean;
}) {
  const { sessions, cookie, denials, originOf, requestContext, requiresSecondFactor } = has;
  /** Frame and screen are guarded each, and ask at the same moment. Once it is answered it is asked anew. */
  const asked = new WeakMap<object, Promise<SignedIn | undefined>>();

  async function find(request: Request): Promise<SignedIn | undefined> {
    const id = await cookie.read(request);
    return id ? sessions.find(id) : undefined;
  }

  /**
   * Leads to the login and back. Where a session has ended it says so, and a form that was sent keeps what was typed; a
   * file cannot be kept.
   */
  async function toLogin(request: Request): Promise<Response> {
    const hadSession = (await cookie.read(request)) !== undefined;
    if (!hadSession) return seeOther(withReturn(paths.login, request));
    const isForm = request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded");
    if (request.method === "POST" && isForm) return passOn(withReturn(paths.sessionEnded, request));
    return seeOther(`${withReturn(paths.login, request)}&notice=session-timeout`);
  }

  return {
    /** The signed-in person, or undefined. For pages that are open to all. */
    async visitor(request: Request): Promise<SignedIn | undefined> {
      const context = requestContext();
      if (!context) return find(request);
      const answer = asked.get(context) ?? find(request).finally(() => asked.delete(context));
      asked.set(context, answer);
      return answer;
    },

    /** The one page somebody must go to before the rest opens to them: a password of their own first, then the code. */
    pageBeforeAll(person: SignedIn): string | undefined {
      if (person.passwordIsTemporary) return paths.passwordReset;
      return requiresSecondFactor && !person.hasSecondFactor ? paths.secondFactor : undefined;
    },

    /** Someone signed in, with nothing left to set up first. */
    async requireAccount(request: Request): Promise<SignedIn> {
      const person = await this.requireOwnPassword(request);
      const before = this.pageBeforeAll(person);
      if (before) throw seeOther(before);
      return person;
    },

    /**
     * Someone signed in whose password is their own: for the page that sets up the second factor. Others choose one first,
     * and are led on to what they requested.
     */
    async requireOwnPassword(request: Request): Promise<SignedIn> {
      const person = await this.requireAnyPassword(request);
      if (person.passwordIsTemporary) throw seeOther(withReturn(paths.passwordReset, request));
      return person;
    },

    /** Someone signed in, even with a temporary password: for the page that changes it, and the frame around it. */
    async requireAnyPassword(request: Request): Promise<SignedIn> {
      const person = await this.visitor(request);
      if (!person) throw await toLogin(request);
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

/** The path of a page that leads on, once its form is done, to what was requested. */
function withReturn(path: string, request: Request): string {
  const { pathname, search } = new URL(request.url);
  return `${path}?${new URLSearchParams({ redirectTo: pathname + search })}`;
}
