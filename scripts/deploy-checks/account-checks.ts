import { getDomain, isExampleDomain } from "~/lib/example-domain";
import type { DeployFacts } from "./collect-facts";
import type { AccountFacts } from "./database-facts";
import type { DeployCheck, Verdict } from "./deploy-check";
import { errorCheck, notApplicable, ok, problem, warningCheck } from "./deploy-check";

/** NIST SP 800-63B, section 3.1.1.2: below 8 is not allowed for anybody. */
const MIN_PASSWORD_LENGTH = 8;

/** Checks of the accounts that may log in. */
export const accountChecks: readonly DeployCheck[] = [
  errorCheck("superadmin-password", (facts) =>
    checkSuperadmins(facts, "Every superadmin has chosen a password.", (account) =>
      account.hasTemporaryPassword || account.hasEnvironmentPassword
        ? `${account.email} still has its first password: log in and choose a new one.`
        : undefined,
    ),
  ),
  errorCheck("superadmin-address", (facts) =>
    checkSuperadmins(facts, "Every superadmin has an address of their own.", ({ email }) =>
      isExampleDomain(getDomain(email))
        ? `${email} is a placeholder: give that superadmin a real address (docs/operations.md, Users).`
        : undefined,
    ),
  ),
  warningCheck("first-password", ({ settings: { SUPERADMIN_PASSWORD } }) =>
    SUPERADMIN_PASSWORD === undefined
      ? ok("SUPERADMIN_PASSWORD is not set.")
      : problem("Remove SUPERADMIN_PASSWORD from the environment: it is meant for one start."),
  ),
  warningCheck("two-factor", (facts) => {
    if (facts.settings.REQUIRE_2FA) return ok("Every account needs a code to log in.");
    const accounts = getAccounts(facts);
    if (accounts.length === 0) return notApplicable("There are no accounts yet.");
    const without = accounts.filter(({ role, hasSecondFactor }) => role === "superadmin" && !hasSecondFactor);
    return without.length === 0
      ? ok("Every superadmin needs a code to log in.")
      : problem(
          `Set REQUIRE_2FA=on: a password alone is enough to log in as ${without.map(({ email }) => email).join(", ")}.`,
        );
  }),
  warningCheck("password-length", ({ settings: { PASSWORD_MIN_LENGTH: length } }) =>
    length >= MIN_PASSWORD_LENGTH
      ? ok(`Passwords have ${length} characters or more.`)
      : problem(`Set PASSWORD_MIN_LENGTH to ${MIN_PASSWORD_LENGTH} or more; it is ${length}.`),
  ),
];

function getAccounts({ database }: DeployFacts): readonly AccountFacts[] {
  return database.kind === "present" ? database.accounts : [];
}

/** Reports the first problem of a superadmin, otherwise `success`. */
function checkSuperadmins(
  facts: DeployFacts,
  success: string,
  findProblem: (account: AccountFacts) => string | undefined,
): Verdict {
  const superadmins = getAccounts(facts).filter(({ role }) => role === "superadmin");
  if (superadmins.length === 0)
    return notApplicable("There is no superadmin yet: the first start creates one.");
  const [first] = superadmins.flatMap((account) => findProblem(account) ?? []);
  return first === undefined ? ok(success) : problem(first);
}
