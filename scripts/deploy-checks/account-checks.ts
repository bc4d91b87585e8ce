import { getDomain, isExampleDomain } from "~/lib/example-domain";
import type { AccountFacts, DeployCheck, DeployFacts, Verdict } from "./deploy-check";
import { errorCheck, notApplicable, ok, problem, warningCheck } from "./deploy-check";

/** NIST SP 800-63B, section 3.1.1.2: below 8 is not allowed for anybody. */
const MIN_PASSWORD_LENGTH = 8;

/** Checks of the accounts that may log in. */
export const accountChecks: readonly DeployCheck[] = [
  errorCheck("superadmin-password", (facts) =>
    checkSuperadmins(facts, "Every superadmin has chosen a password.", (account) =>
      account.hasTemporaryPassword || account.hasEnvironmentPassword
        ? `${account.email} still has the first password: log in and choose another.`
        : undefined,
    ),
  ),
  errorCheck("superadmin-address", (facts) =>
    checkSuperadmins(facts, "Every superadmin has an address of their own.", ({ email }) =>
      isExampleDomain(getDomain(email))
        ? `${email} is nobody's address: give that superadmin a real one (docs/operations.md, Users).`
        : undefined,
    ),
  ),
  warningCheck("first-password", ({ settings: { SUPERADMIN_PASSWORD } }) =>
    SUPERADMIN_PASSWORD === undefined
      ? ok("SUPERADMIN_PASSWORD is not set.")
      : problem("Take SUPERADMIN_PASSWORD out of the environment: it is for one start."),
  ),
  warningCheck("two-factor", (facts) => {
    if (facts.settings.REQUIRE_2FA) return ok("Every account logs in with a code too.");
    const accounts = getAccounts(facts);
    if (accounts.length === 0) return notApplicable("There are no accounts to be read.");
    const without = accounts.filter(({ role, hasSecondFactor }) => role === "superadmin" && !hasSecondFactor);
    return without.length === 0
      ? ok("Every superadmin logs in with a code too.")
      : problem(
          `Set REQUIRE_2FA=on: a password alone lets in ${without.map(({ email }) => email).join(", ")}.`,
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
    return notApplicable("There is no superadmin to be read: the first start makes one.");
  const [first] = superadmins.flatMap((account) => findProblem(account) ?? []);
  return first === undefined ? ok(success) : problem(first);
}
