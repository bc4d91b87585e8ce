import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { forwardTo, seeOther } from "~/http/redirects.server";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { paths } from "~/paths";
import type { Accounts, LoginOutcome } from "~/services/accounts/accounts.server";
import { MAX_PASSWORD_LENGTH } from "~/services/accounts/password-hasher";
import type { createDenialAudit, RequestOrigin } from "~/services/audit/audit.server";
import type { Sessions, SignedIn } from "~/services/sessions/sessions.server";
import type { SessionCookie } from "./session-cookie.server";

/**
 * Guards the back office: every loader and action under /admin calls one of these on its first line. Each
 * throws the redirect that the specification (section 2) requires.
 */
export function createAccess(deps: {
  sessions: Sessions;
  cookie: SessionCookie;
  auditDenial: ReturnType<typeof createDenialAudit>;
  getOrigin: (request: Request) => RequestOrigin;
  /** Returns an object shared by all loaders of one HTTP request, each of which has a Request of its own. */
  requestContext: () => object | undefined;
  /** REQUIRE_2FA: people without a second factor must set one up before anything else. */
  requiresSecondFactor: boolean;
}) {
  const { sessions, cookie, auditDenial, getOrigin, requestContext, requiresSecondFactor } = deps;
  /** Lets the layout and the screen, guarded separately at the same moment, share one lookup of the session. */
  const pendingLookups = new WeakMap<object, Promise<SignedIn | undefined>>();

  async function find(request: Request): Promise<SignedIn | undefined> {
    const id = await cookie.read(request);
    return id ? sessions.find(id) : undefined;
  }

  /**
   * Creates the redirect to the login with a way back. When a session has ended, the login says so and a
   * submitted form keeps its fields; files cannot be kept.
   */
  async function createLoginRedirect(request: Request): Promise<Response> {
    const hadSession = (await cookie.read(request)) !== undefined;
    if (!hadSession) return seeOther(withReturn(paths.login, request));
    const isForm = request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded");
    if (request.method === "POST" && isForm) return forwardTo(withReturn(paths.sessionEnded, request));
    return seeOther(`${withReturn(paths.login, request)}&notice=session-timeout`);
  }

  return {
    /** Returns the signed-in person, or undefined. For pages that are open to all. */
    async getUser(request: Request): Promise<SignedIn | undefined> {
      const context = requestContext();
      if (!context) return find(request);
      const answer =
        pendingLookups.get(context) ?? find(request).finally(() => pendingLookups.delete(context));
      pendingLookups.set(context, answer);
      return answer;
    },

    /** Returns the page to complete before the rest opens: first for an own password, then the second factor. */
    getRequiredSetupPage(person: SignedIn): string | undefined {
      if (person.passwordIsTemporary) return paths.passwordReset;
      return requiresSecondFactor && !person.hasSecondFactor ? paths.secondFactor : undefined;
    },

    /** Requires a signed-in person who has nothing left to set up. */
    async requireAccount(request: Request): Promise<SignedIn> {
      const person = await this.requireOwnPassword(request);
      const setupPage = this.getRequiredSetupPage(person);
      if (setupPage) throw seeOther(setupPage);
      return person;
    },

    /**
     * Requires a signed-in person with a password of their own: for the page that sets up the second factor.
     * Others choose a password first and then continue to what they requested.
     */
    async requireOwnPassword(request: Request): Promise<SignedIn> {
      const person = await this.requireUser(request);
      if (person.passwordIsTemporary) throw seeOther(withReturn(paths.passwordReset, request));
      return person;
    },

    /** Requires a signed-in person, even with a temporary password: for the page to change it, and its layout. */
    async requireUser(request: Request): Promise<SignedIn> {
      const person = await this.getUser(request);
      if (!person) throw await createLoginRedirect(request);
      return person;
    },

    /** Requires a signed-in person with this role; a person with another role is recorded in the audit (C36). */
    async requireRole(request: Request, role: SignedIn["role"]): Promise<SignedIn> {
      const person = await this.requireAccount(request);
      if (person.role === role) return person;
      await auditDenial(person, new URL(request.url).pathname, getOrigin(request));
      throw seeOther(paths.unauthorized);
    },

    /** Ends the session of this request; resolves with the Set-Cookie value that clears it. */
    async signOut(request: Request): Promise<string> {
      const id = await cookie.read(request);
      if (id) await sessions.end(id, getOrigin(request));
      return cookie.clear();
    },
  };
}

/** Returns the path of a page that, once its form is done, redirects to the requested page. */
function withReturn(path: string, request: Request): string {
  const { pathname, search } = new URL(request.url);
  return `${path}?${new URLSearchParams({ redirectTo: pathname + search })}`;
}

/**
 * Result of the login form, with the address as typed, to be shown again. "unavailable": the database is away. "failed": an
 * internal error.
 */
type FormLogin = (LoginOutcome | { ok: false; error: "unavailable" | "failed"; cause: unknown }) & {
  email: string;
};

/**
 * Handles the login form through remix-auth, which only reads the form and asks the account store. Sessions,
 * rate limits and redirects are the product's own (hardening, section 4).
 */
export function createFormLogin(accounts: Accounts, getOrigin: (request: Request) => RequestOrigin) {
  const authenticator = new Authenticator<FormLogin>();
  authenticator.use(
    new FormStrategy(async ({ form, request }) => {
      const email = getText(form.get("email"));
      const password = getText(form.get("password"));
      try {
        return { ...(await accounts.logIn({ email, password }, getOrigin(request))), email };
      } catch (cause) {
        const error = isDatabaseUnavailable(cause) ? "unavailable" : "failed";
        return { ok: false, error, cause, email };
      }
    }),
    "form",
  );
  return async (request: Request): Promise<FormLogin> => {
    // A POST without a body has no type, and remix-auth throws for it (hardening C51).
    if (!request.headers.has("Content-Type")) return { ok: false, error: "invalid", email: "" };
    return authenticator.authenticate("form", request);
  };
}

/** Reads a text field, cut to the longest valid address or password. Files and missing fields count as empty. */
function getText(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.slice(0, MAX_PASSWORD_LENGTH) : "";
}
