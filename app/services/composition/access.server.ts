import { randomBytes } from "node:crypto";
import { createAppearanceCookie } from "~/http/appearance-cookie.server";
import { brand } from "~/content/brand";
import { EnvironmentError } from "~/env.server";
import type { Environment } from "~/env.server";
import { operatorMessages } from "~/content/operator-messages";
import { originOf, requestContext } from "~/http/request-context.server";
import { createAccess, createFormLogin } from "~/services/access/access.server";
import { createBearerAccess } from "~/services/access/bearer-access.server";
import { createPendingLoginCookie, createSessionCookie } from "~/services/access/session-cookie.server";
import { createAccountEndpoint } from "~/services/accounts/account-endpoint.server";
import { createAccounts } from "~/services/accounts/accounts.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { createPasswordPolicy } from "~/services/accounts/password-policy.server";
import type { PasswordPolicy } from "~/services/accounts/password-policy.server";
import { createUserManagement } from "~/services/accounts/user-management.server";
import { createApiTokens } from "~/services/api-tokens/api-tokens.server";
import { createActivity } from "~/services/audit/activity.server";
import { createDenials } from "~/services/audit/denials.server";
import { createPendingLogins } from "~/services/second-factor/pending-logins.server";
import { createSecondFactor } from "~/services/second-factor/second-factor.server";
import { createSecondStep } from "~/services/second-factor/second-step.server";
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import type { Secrets } from "~/services/secrets/secrets.server";
import { createOwnSessions } from "~/services/sessions/own-sessions.server";
import { createSessions } from "~/services/sessions/sessions.server";
import packageJson from "../../../package.json";
import type { Basics } from "./basics";

/**
 * What passwords must be like. The account most worth guessing obeys the rule for all.
 * @throws EnvironmentError
 */
export function passwordPolicyFor(environment: Environment): PasswordPolicy {
  const policy = createPasswordPolicy({
    minLength: environment.PASSWORD_MIN_LENGTH,
    brandWords: [brand.name, packageJson.name],
  });
  const problem = policy.problemWith(environment.SUPERADMIN_PASSWORD ?? "");
  if (environment.SUPERADMIN_PASSWORD === undefined || problem === undefined) return policy;
  const sentence = operatorMessages.password.problems(policy.minLength)[problem];
  throw new EnvironmentError(`The environment is not usable:\n  SUPERADMIN_PASSWORD: ${sentence}`);
}

/** Accounts and programs: how they prove who they are, what they may, and what is written down about it. */
export function accessFor(
  environment: Environment,
  has: Basics & {
    hasher: PasswordHasher;
    passwordPolicy: PasswordPolicy;
    secrets: Secrets;
    secure: boolean;
  },
) {
  const { database, clock, newId, hasher, passwordPolicy, secrets, secure } = has;
  const pendingLogins = createPendingLogins({ secret: secrets.session, clock });
  const accounts = createAccounts({ database, hasher, passwordPolicy, pendingLogins, clock, newId });
  const protectedAccounts = environment.PROTECTED_ACCOUNTS;
  const userManagement = createUserManagement({ database, hasher, clock, newId, protectedAccounts });
  const sessions = createSessions({ database, clock, newId });
  const sessionCookie = createSessionCookie({ secret: secrets.session, secure });
  const denials = createDenials({ database, clock, newId });
  const requiresSecondFactor = environment.REQUIRE_2FA;
  const box = createSecretBox(secrets.session);
  const apiTokens = createApiTokens({ database, clock, newId, randomBytes });
  return {
    accounts,
    userManagement,
    sessions,
    sessionCookie,
    apiTokens,
    accountEndpoint: createAccountEndpoint({ userManagement, passwordPolicy }),
    pendingLoginCookie: createPendingLoginCookie({ secret: secrets.session, secure }),
    appearanceCookie: createAppearanceCookie({ secure }),
    access: createAccess({
      sessions,
      cookie: sessionCookie,
      denials,
      originOf,
      requestContext,
      requiresSecondFactor,
    }),
    secondFactor: createSecondFactor({
      database,
      hasher,
      box,
      clock,
      newId,
      issuer: `${brand.name} back office`,
      isRequired: requiresSecondFactor,
    }),
    secondStep: createSecondStep({ database, pendingLogins, box, clock, newId }),
    ownSessions: createOwnSessions({ database, clock, newId }),
    activity: createActivity({ database, clock, newId }),
    bearerAccess: createBearerAccess({ apiTokens, originOf }),
    logIn: createFormLogin({ accounts, originOf }),
  };
}
