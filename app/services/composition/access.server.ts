import { randomBytes } from "node:crypto";
import { createAppearanceCookie } from "~/http/appearance-cookie.server";
import { brand } from "~/content/brand";
import { EnvironmentError, type Environment } from "~/env.server";
import { passwordMessages } from "~/content/users";
import { getRequestOrigin, getRequestContext } from "~/http/request-context.server";
import { createAccess } from "~/services/access/access.server";
import { createAuthenticator } from "~/services/access/authenticator.server";
import {
  createLoginSessionStorage,
  createPendingLoginStorage,
  createSessionCookie,
} from "~/services/access/session-storage.server";
import { createAccounts } from "~/services/accounts/accounts.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { createPasswordPolicy, type PasswordPolicy } from "~/services/accounts/password-policy.server";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createApiTokens } from "~/services/api-tokens/api-tokens.server";
import { createActivity } from "~/services/audit/activity.server";
import { createDenialAudit } from "~/services/audit/audit.server";
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
  const { environment, secrets, secure } = foundation;
  const { PROTECTED_ACCOUNTS: protectedAccounts, REQUIRE_2FA: requiresSecondFactor } = environment;
  const box = createSecretBox(secrets.session);
  const accounts = createAccounts({ ...foundation, hasher, passwordPolicy, box });
  const sessions = createSessions(foundation);
  const sessionCookie = createSessionCookie({ secret: secrets.session, secure });
  const sessionStorage = createLoginSessionStorage(sessionCookie, sessions);
  const pendingLoginStorage = createPendingLoginStorage({ secret: secrets.session, secure });
  return {
    accounts,
    userManagement: createUserManagement({ ...foundation, hasher, protectedAccounts }),
    sessions,
    sessionCookie,
    sessionStorage,
    pendingLoginStorage,
    authenticator: createAuthenticator({ accounts, pendingLoginStorage, getOrigin: getRequestOrigin }),
    apiTokens: createApiTokens({ ...foundation, randomBytes }),
    appearanceCookie: createAppearanceCookie({ secure }),
    access: createAccess({
      sessionStorage,
      sessions,
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
  };
}
