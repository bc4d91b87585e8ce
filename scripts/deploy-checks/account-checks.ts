import { getDomain, isExampleDomain } from "~/lib/example-domain";
import type { AccountFacts, DeployCheck, DeployFacts, Verdict } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";

/** NIST SP 800-63B, section 3.1.1.2: below 8 is not allowed for anybody. */
const SHORTEST_PASSWORD = 8;

/** Checks of the accounts that may log in. */
export const accountChecks: readonly DeployCheck[] = [
  {
    id: "superadmin-password",
    severity: "error",
    check: (facts) =>
      ofSuperadmins(facts, ({ hasTemporaryPassword, hasGivenPassword }) =>
        hasTemporaryPassword || hasGivenPassword
          ? (email) => `${email} still has the first password: log in and choose another.`
          : undefined,
      ) ?? ok("Every superadmin has chosen a password."),
  },
  {
    id: "superadmin-address",
    severity: "error",
    check: (facts) =>
      ofSuperadmins(facts, ({ email }) =>
        isExampleDomain(getDomain(email))
          ? () => `${email} is nobody's address: give that superadmin a real one (docs/operations.md, Users).`
          : undefined,
      ) ?? ok("Every superadmin has an address of their own."),
  },
  {
    id: "first-password",
    severity: "warning",
    check: ({ settings: { SUPERADMIN_PASSWORD } }) =>
      SUPERADMIN_PASSWORD === undefined
        ? ok("SUPERADMIN_PASSWORD is not set.")
        : trouble("Take SUPERADMIN_PASSWORD out of the environment: it is for one start."),
  },
  {
    id: "two-factor",
    severity: "warning",
    check: (facts) => {
      if (facts.settings.REQUIRE_2FA) return ok("Every account logs in with a code too.");
      const accounts = accountsOf(facts);
      if (accounts.length === 0) return notApplicable("There are no accounts to be read.");
      const without = accounts.filter(
        ({ role, hasSecondFactor }) => role === "superadmin" && !hasSecondFactor,
      );
      return without.length === 0
        ? ok("Every superadmin logs in with a code too.")
        : trouble(
            `Set REQUIRE_2FA=on: a password alone lets in ${without.map(({ email }) => email).join(", ")}.`,
          );
    },
  },
  {
    id: "password-length",
    severity: "warning",
    check: ({ settings: { PASSWORD_MIN_LENGTH: length } }) =>
      length >= SHORTEST_PASSWORD
        ? ok(`Passwords have ${length} signs or more.`)
        : trouble(`Set PASSWORD_MIN_LENGTH to ${SHORTEST_PASSWORD} or more; it is ${length}.`),
  },
];

function accountsOf({ database }: DeployFacts): readonly AccountFacts[] {
  return database.kind === "there" ? database.accounts : [];
}

/** @returns a verdict when a superadmin has a problem or there is none; undefined when all is well. */
function ofSuperadmins(
  facts: DeployFacts,
  troubleOf: (account: AccountFacts) => ((email: string) => string) | undefined,
): Verdict | undefined {
  const superadmins = accountsOf(facts).filter(({ role }) => role === "superadmin");
  if (superadmins.length === 0)
    return notApplicable("There is no superadmin to be read: the first start makes one.");
  for (const account of superadmins) {
    const sentence = troubleOf(account);
    if (sentence) return trouble(sentence(account.email));
  }
  return undefined;
}
