import { getDomain, isExampleDomain } from "~/lib/example-domain";
import type { AccountFacts } from "./quick-facts.server";
import type { SetupCheck, Verdict } from "./setup-check";
import { notApplicable, ok, problem, errorCheck, warningCheck, slowErrorCheck } from "./setup-check";

/** NIST SP 800-63B, section 3.1.1.2: below 8 is not allowed for anybody. */
const MIN_PASSWORD_LENGTH = 8;

/** Checks of the accounts that may log in. */
export const accountChecks: readonly SetupCheck[] = [
  slowErrorCheck("superadmin-password", [], ({ database }) =>
    checkSuperadmins(
      database.kind === "present" ? database.accounts : [],
      "Every superadmin has chosen a password.",
      (account) =>
        account.hasTemporaryPassword || account.hasEnvironmentPassword
          ? `${account.email} still has its first password: log in and choose a new one.`
          : undefined,
    ),
  ),
  errorCheck("superadmin-address", [], ({ accounts = [] }) =>
    checkSuperadmins(accounts, "Every superadmin has an address of their own.", ({ email }) =>
      isExampleDomain(getDomain(email))
        ? `${email} is a placeholder: give that superadmin a real address (docs/operations.md, Users).`
        : undefined,
    ),
  ),
  warningCheck("first-password", ["SUPERADMIN_PASSWORD"], ({ settings: { SUPERADMIN_PASSWORD } }) =>
    SUPERADMIN_PASSWORD === undefined
      ? ok("SUPERADMIN_PASSWORD is not set.")
      : problem("Remove SUPERADMIN_PASSWORD from the environment: it is meant for one start."),
  ),
  warningCheck("two-factor", ["REQUIRE_2FA"], ({ settings, accounts = [] }) => {
    if (settings.REQUIRE_2FA) return ok("Every account needs a code to log in.");
    if (accounts.length === 0) return notApplicable("There are no accounts yet.");
    const without = accounts.filter(({ role, hasSecondFactor }) => role === "superadmin" && !hasSecondFactor);
    return without.length === 0
      ? ok("Every superadmin needs a code to log in.")
      : problem(
          `Set REQUIRE_2FA=on: a password alone is enough to log in as ${without.map(({ email }) => email).join(", ")}.`,
        );
  }),
  warningCheck("password-length", ["PASSWORD_MIN_LENGTH"], ({ settings: { PASSWORD_MIN_LENGTH: length } }) =>
    length >= MIN_PASSWORD_LENGTH
      ? ok(`Passwords have ${length} characters or more.`)
      : problem(`Set PASSWORD_MIN_LENGTH to ${MIN_PASSWORD_LENGTH} or more; it is ${length}.`),
  ),
];

/** Reports the first problem of a superadmin, otherwise `success`. */
function checkSuperadmins<Account extends AccountFacts>(
  accounts: readonly Account[],
  success: string,
  findProblem: (account: Account) => string | undefined,
): Verdict {
  const superadmins = accounts.filter(({ role }) => role === "superadmin");
  if (superadmins.length === 0)
    return notApplicable("There is no superadmin yet: the first start creates one.");
  const [first] = superadmins.flatMap((account) => findProblem(account) ?? []);
  return first === undefined ? ok(success) : problem(first);
}
