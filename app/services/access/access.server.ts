import { forwardTo, seeOther } from "~/http/redirects.server";
import { MAX_URL_BYTES } from "~/lib/max-url-bytes";
import { paths } from "~/paths";
import type { createDenialAudit, RequestOrigin } from "~/services/audit/audit.server";
import type { Sessions, SignedIn, VerifiedAccount } from "~/services/sessions/sessions.server";
import { toLoginError } from "./login-error";
import type { LoginSessionStorage } from "./session-storage.server";

type LoginSession = Awaited<ReturnType<LoginSessionStorage["getSession"]>>;

/**
 * Guards the back office: every loader and action under /admin calls one of these on its first line. Those named require...
 * throw the redirect that the specification (section 2) requires. Also starts and ends sessions.
 */
export function createAccess(deps: {
  sessionStorage: LoginSessionStorage;
  sessions: Pick<Sessions, "recordLogout">;
  auditDenial: ReturnType<typeof createDenialAudit>;
  getOrigin: (request: Request) => RequestOrigin;
  /** Returns an object shared by all loaders of one HTTP request, each of which has a Request of its own. */
  requestContext: () => object | undefined;
  /** REQUIRE_2FA: people without a second factor must set one up before anything else. */
  requiresSecondFactor: boolean;
}) {
  const { sessionStorage, sessions, auditDenial, getOrigin, requestContext, requiresSecondFactor } = deps;
  /** Lets the layout and the screen, guarded separately at the same moment, share one lookup of the session. */
  const pendingLookups = new WeakMap<object, Promise<LoginSession>>();

  async function getSession(request: Request): Promise<LoginSession> {
    const context = requestContext();
    if (!context) return findSession(request);
    const lookup =
      pendingLookups.get(context) ?? findSession(request).finally(() => pendingLookups.delete(context));
    pendingLookups.set(context, lookup);
    return lookup;
  }

  async function findSession(request: Request): Promise<LoginSession> {
    const session = await sessionStorage.getSession(request.headers.get("Cookie"));
    // Records the use of a living session. Its cookie outlives it and is not sent again.
    if (session.has("user")) await sessionStorage.commitSession(session);
    return session;
  }

  /**
   * Creates the redirect to the login with a way back. When a session has ended, the login says so and a
   * submitted form keeps its fields; files cannot be kept.
   */
  function createLoginRedirect(request: Request, session: LoginSession): Response {
    const hadSession = session.id !== "";
    if (!hadSession) return seeOther(withReturn(paths.login, request));
    const isForm = request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded");
    if (request.method === "POST" && isForm) return forwardTo(withReturn(paths.sessionEnded, request));
    return seeOther(`${withReturn(paths.login, request)}&notice=session-timeout`);
  }

  return {
    /** Returns the signed-in operator, or undefined. For pages that are open to all. */
    async getUser(request: Request): Promise<SignedIn | undefined> {
      return (await getSession(request)).get("user");
    },

    /** Returns the page to complete before the rest opens: first for an own password, then the second factor. */
    getRequiredSetupPage(operator: SignedIn): string | undefined {
      if (operator.passwordIsTemporary) return paths.passwordReset;
      return requiresSecondFactor && !operator.hasSecondFactor ? paths.secondFactor : undefined;
    },

    /** Requires a signed-in operator who has nothing left to set up. */
    async requireAccount(request: Request): Promise<SignedIn> {
      const operator = await this.requireOwnPassword(request);
      const setupPage = this.getRequiredSetupPage(operator);
      if (setupPage) throw seeOther(setupPage);
      return operator;
    },

    /**
     * Requires a signed-in operator with a password of their own: for the page that sets up the second factor.
     * Others choose a password first and then continue to what they requested.
     */
    async requireOwnPassword(request: Request): Promise<SignedIn> {
      const operator = await this.requireUser(request);
      if (operator.passwordIsTemporary) throw seeOther(withReturn(paths.passwordReset, request));
      return operator;
    },

    /** Requires a signed-in operator, even with a temporary password: for the page to change it, and its layout. */
    async requireUser(request: Request): Promise<SignedIn> {
      const session = await getSession(request);
      const operator = session.get("user");
      if (!operator) throw createLoginRedirect(request, session);
      return operator;
    },

    /** Requires a signed-in operator with this role; one with another role is recorded in the audit (C36). */
    async requireRole(request: Request, role: SignedIn["role"]): Promise<SignedIn> {
      const operator = await this.requireAccount(request);
      if (operator.role === role) return operator;
      await auditDenial(operator, new URL(request.url).pathname, getOrigin(request));
      throw seeOther(paths.unauthorized);
    },

    /**
     * Starts a session and ends the one of this request, if any; resolves with the Set-Cookie value.
     * @throws LoginError
     */
    async signIn(request: Request, account: VerifiedAccount): Promise<string> {
      try {
        // A session of its own: an id from before the login never belongs to somebody signed in (C5).
        const session = await sessionStorage.getSession();
        session.set("account", account);
        session.set("origin", getOrigin(request));
        const cookie = await sessionStorage.commitSession(session);
        await this.signOut(request);
        return cookie;
      } catch (error) {
        throw toLoginError(error, account.email);
      }
    },

    /** Ends the session of this request and records the logout; resolves with the Set-Cookie value that clears it. */
    async signOut(request: Request): Promise<string> {
      const session = await sessionStorage.getSession(request.headers.get("Cookie"));
      const operator = session.get("user");
      if (operator) await sessions.recordLogout(operator, getOrigin(request));
      return sessionStorage.destroySession(session);
    },
  };
}

/** Room for the longer path and the further parameters with which the login's pages pass `redirectTo` on. */
const RESERVED_BYTES = 100;

/**
 * Returns the path of a page that, once its form is done, redirects to the requested page: without its search where this,
 * encoded once more, would be too long for a URL.
 */
function withReturn(path: string, request: Request): string {
  const { pathname, search } = new URL(request.url);
  const withRedirect = (redirectTo: string) => `${path}?${new URLSearchParams({ redirectTo })}`;
  const complete = withRedirect(pathname + search);
  return complete.length <= MAX_URL_BYTES - RESERVED_BYTES ? complete : withRedirect(pathname);
}
