import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { passOn, seeOther } from "~/http/redirects.server";
import { paths } from "~/paths";
import type { Accounts, LoginOutcome } from "~/services/accounts/accounts.server";
import { LONGEST_PASSWORD } from "~/services/accounts/password-hasher";
import type { RequestOrigin } from "~/services/accounts/request-origin";
import type { Denials } from "~/services/audit/denials.server";
import type { Sessions, SignedIn } from "~/services/sessions/sessions.server";
import type { SessionCookie } from "./session-cookie.server";

/**
 * The guards of the back office: the first line of every loader and action under /admin calls one of them. Each throws a
 * redirect where the specification (section 2) sends the person instead.
 */
export function createAccess(deps: {
  sessions: Sessions;
  cookie: SessionCookie;
  denials: Denials;
  originOf: (request: Request) => RequestOrigin;
  /** The same for every loader of one request, each of which has a Request of its own. */
  requestContext: () => object | undefined;
  /** REQUIRE_2FA: whoever has no second factor sets one up before anything else. */
  requiresSecondFactor: boolean;
}) {
  const { sessions, cookie, denials, originOf, requestContext, requiresSecondFactor } = deps;
  /** Frame and screen are guarded each, and ask at the same moment. Once it is answered it is asked again. */
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
    getRequiredSetupPage(person: SignedIn): string | undefined {
      if (person.passwordIsTemporary) return paths.passwordReset;
      return requiresSecondFactor && !person.hasSecondFactor ? paths.secondFactor : undefined;
    },

    /** Someone signed in, with nothing left to set up first. */
    async requireAccount(request: Request): Promise<SignedIn> {
      const person = await this.requireOwnPassword(request);
      const before = this.getRequiredSetupPage(person);
      if (before) throw seeOther(before);
      return person;
    },

    /**
     * Someone signed in whose password is their own: for the page that sets up the second factor. Others choose one first,
     * and are led on to what they requested.
     */
    async requireOwnPassword(request: Request): Promise<SignedIn> {
      const person = await this.requireUser(request);
      if (person.passwordIsTemporary) throw seeOther(withReturn(paths.passwordReset, request));
      return person;
    },

    /** Someone signed in, even with a temporary password: for the page that changes it, and the frame around it. */
    async requireUser(request: Request): Promise<SignedIn> {
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

/** What the login form answered, with the address as typed, to be shown again; "failed" is a fault of ours. */
type FormLogin = (LoginOutcome | { ok: false; error: "failed"; cause: unknown }) & { email: string };

/**
 * The login form through remix-auth: it reads the form and asks the account store, nothing else. Sessions, throttling
 * and redirects are the product's own (hardening, section 4).
 */
export function createFormLogin({
  accounts,
  originOf,
}: {
  accounts: Accounts;
  originOf: (request: Request) => RequestOrigin;
}) {
  const authenticator = new Authenticator<FormLogin>();
  authenticator.use(
    new FormStrategy(async ({ form, request }) => {
      const email = textOf(form.get("email"));
      const password = textOf(form.get("password"));
      try {
        return { ...(await accounts.logIn({ email, password }, originOf(request))), email };
      } catch (cause) {
        return { ok: false, error: "failed", cause, email };
      }
    }),
    "form",
  );
  return (request: Request): Promise<FormLogin> => authenticator.authenticate("form", request);
}

/** Files and missing fields count as nothing typed; no address or password is longer. */
function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.slice(0, LONGEST_PASSWORD) : "";
}
