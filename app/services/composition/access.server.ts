import { randomBytes } from "node:crypto";
import { createAppearanceCookie } from "~/http/appearance-cookie.server";
import { brand } from "~/content/brand";
import { EnvironmentError, type Environment } from "~/env.server";
import { passwordMessages } from "~/content/users";
import { getRequestOrigin, getRequestContext } from "~/http/request-context.server";
import { createAccess, createFormLogin } from "~/services/access/access.server";
import { createPendingLoginCookie, createSessionCookie } from "~/services/access/session-cookie.server";
import { createAccounts } from "~/services/accounts/accounts.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { createPasswordPolicy, type PasswordPolicy } from "~/services/accounts/password-policy.server";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createApiTokens } from "~/services/api-tokens/api-tokens.server";
import { createActivity } from "~/services/audit/activity.server";
import { createDenialAudit } from "~/services/audit/audit.server";
import { createPendingLogins } from "~/services/second-factor/pending-logins.server";
import { createSecondFactor } from "~/services/second-factor/second-factor.server";
import { createSecretBox } from "~/services/second-factor/totp.server";
import { createSessions } from "~/services/sessions/sessions.server";
import packageJson from "../../../package.json";
import type { Foundation } from "./foundation.server";

/**
 * Creates the rules for passwords. They also apply to the superadmin's, the account most worth guessing.
 * @throws EnvironmentError
 */
export function composePasswordPolicy(environment: Environment): PasswordPolicy {
  const { PASSWORD_MIN_LENGTH: minLength, SUPERADMIN_PASSWORD: password } = environment;
  const policy = createPasswordPolicy({ minLength, brandWords: [brand.name, packageJson.name] });
  const problem = password === undefined ? undefined : policy.findProblem(password);
  if (!problem) return policy;
  throw new EnvironmentError(`SUPERADMIN_PASSWORD: ${passwordMessages.problems(minLength)[problem]}`);
}

/** Composes authentication, authorization and their audit for people and programs. */
export function composeAccess(
  foundation: Foundation,
  hasher: PasswordHasher,
  passwordPolicy: PasswordPolicy,
) {
  const { environment, clock, secrets, secure } = foundation;
  const { PROTECTED_ACCOUNTS: protectedAccounts, REQUIRE_2FA: requiresSecondFactor } = environment;
  const pendingLogins = createPendingLogins({ secret: secrets.session, clock });
  const box = createSecretBox(secrets.session);
  const accounts = createAccounts({ ...foundation, hasher, passwordPolicy, pendingLogins, box });
  const sessions = createSessions(foundation);
  const sessionCookie = createSessionCookie({ secret: secrets.session, secure });
  return {
    accounts,
    userManagement: createUserManagement({ ...foundation, hasher, protectedAccounts }),
    sessions,
    sessionCookie,
    apiTokens: createApiTokens({ ...foundation, randomBytes }),
    pendingLoginCookie: createPendingLoginCookie({ secret: secrets.session, secure }),
    appearanceCookie: createAppearanceCookie({ secure }),
    access: createAccess({
      sessions,
      cookie: sessionCookie,
      auditDenial: createDenialAudit(foundation),
      getOrigin: getRequestOrigin,
      requestContext: getRequestContext,
      requiresSecondFactor,
    }),
    secondFactor: createSecondFactor({
      ...foundation,
      hasher,
      box,
      issuer: `${brand.name} back office`,
      isRequired: requiresSecondFactor,
    }),
    activity: createActivity(foundation),
    logIn: createFormLogin(accounts, getRequestOrigin),
  };
}
