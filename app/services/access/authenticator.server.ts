import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { Accounts, Login } from "~/services/accounts/accounts.server";
import { BUSY_RETRY_SECONDS, MAX_PASSWORD_LENGTH } from "~/services/accounts/password-hasher";
import type { RequestOrigin } from "~/services/audit/audit.server";
import { LoginError, toLoginError, type LoginErrorCode } from "./login-error";
import type { PendingLoginStorage } from "./session-storage.server";

/**
 * Creates the two steps of a login, the strategies `password` and `second-factor` of remix-auth. Each reads its form and
 * returns whoever signs in, or the pending login that still needs a code, or throws a `LoginError`. remix-auth has no
 * sessions: the action starts one (`signIn` in access.server.ts).
 */
export function createAuthenticator(deps: {
  accounts: Accounts;
  pendingLoginStorage: PendingLoginStorage;
  getOrigin: (request: Request) => RequestOrigin;
}): Authenticator<Login> {
  const { accounts, pendingLoginStorage, getOrigin } = deps;

  return new Authenticator<Login>()
    .use(
      new FormStrategy(async ({ form, request }) => {
        const email = getText(form, "email");
        try {
          const password = getText(form, "password");
          const outcome = await accounts.logIn({ email, password }, getOrigin(request));
          if (outcome.ok) return outcome.login;
          throw refuse(outcome, email);
        } catch (error) {
          throw toLoginError(error, email);
        }
      }),
      "password",
    )
    .use(
      new FormStrategy(async ({ form, request }) => {
        const code = getText(form, "code");
        if (code.trim() === "") throw new LoginError("missing-code");
        try {
          const session = await pendingLoginStorage.getSession(request.headers.get("Cookie"));
          const outcome = await accounts.enterCode(session.get("pendingLogin"), code, getOrigin(request));
          if (outcome.ok) return outcome.login;
          throw refuse(outcome);
        } catch (error) {
          throw toLoginError(error);
        }
      }),
      "second-factor",
    );
}

function refuse(
  { error, retryAfterSeconds }: { error: LoginErrorCode; retryAfterSeconds?: number },
  email?: string,
): LoginError {
  const seconds = error === "busy" ? BUSY_RETRY_SECONDS : retryAfterSeconds;
  return new LoginError(error, { email, retryAfterSeconds: seconds });
}

/**
 * Reads a text field, cut to one character more than the longest valid password, so that a longer one stays wrong. Files
 * and missing fields count as empty.
 */
function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.slice(0, MAX_PASSWORD_LENGTH + 1) : "";
}
