import { randomBytes } from "node:crypto";
import { createAppearanceCookie } from "~/http/appearance-cookie.server";
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
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import { createSessions } from "~/services/sessions/sessions.server";
import { createVisits } from "~/services/visits/visits.server";
import packageJson from "../../../package.json";
import type { Foundation } from "./foundation.server";

/**
 * Creates the rules for passwords. They also apply to the superadmin's, the account most worth guessing.
 * @throws EnvironmentError
 */
export function composePasswordPolicy(environment: Environment): PasswordPolicy {
  const { PASSWORD_MIN_LENGTH: minLength, SUPERADMIN_PASSWORD: password } = environment;
  const policy = createPasswordPolicy({ minLength, brandWords: [environment.BRAND_NAME, packageJson.name] });
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
  const { environment, brand, database, clock, newId, secrets, secure } = foundation;
  const { PROTECTED_ACCOUNTS: protectedAccounts, REQUIRE_2FA: requiresSecondFactor } = environment;
  const box = createSecretBox(secrets.session);
  const accounts = createAccounts({ database, clock, newId, hasher, passwordPolicy, box });
  const sessions = createSessions({ database, clock, newId });
  const sessionCookie = createSessionCookie({ secret: secrets.session, secure });
  const sessionStorage = createLoginSessionStorage(sessionCookie, sessions);
  const pendingLoginStorage = createPendingLoginStorage({ secret: secrets.session, secure });
  return {
    accounts,
    userManagement: createUserManagement({ database, clock, newId, hasher, protectedAccounts }),
    sessions,
    visits: createVisits({ database, clock }),
    sessionCookie,
    sessionStorage,
    pendingLoginStorage,
    authenticator: createAuthenticator({ accounts, pendingLoginStorage, getOrigin: getRequestOrigin }),
    apiTokens: createApiTokens({ database, clock, newId, randomBytes }),
    appearanceCookie: createAppearanceCookie({ secure }),
    access: createAccess({
      sessionStorage,
      sessions,
      auditDenial: createDenialAudit({ database, clock, newId }),
      getOrigin: getRequestOrigin,
      requestContext: getRequestContext,
      requiresSecondFactor,
    }),
    secondFactor: createSecondFactor({
      database,
      clock,
      newId,
      hasher,
      box,
      issuer: `${brand.name} back office`,
      isRequired: requiresSecondFactor,
    }),
    activity: createActivity({ database, clock, newId }),
  };
}
