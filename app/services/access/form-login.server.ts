import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { Accounts, LoginOutcome, RequestOrigin } from "~/services/accounts/accounts.server";
import { LONGEST_PASSWORD } from "~/services/accounts/password-hasher";

/** What the login form answered, with the address as typed, to be shown again; "failed" is a fault of ours. */
export type FormLogin = (LoginOutcome | { ok: false; error: "failed"; cause: unknown }) & { email: string };

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
