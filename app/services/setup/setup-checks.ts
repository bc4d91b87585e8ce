import { accountChecks } from "./account-checks";
import { addressChecks } from "./address-checks";
import { dataChecks } from "./data-checks";
import type { SetupFacts } from "./setup-facts.server";
import type { QuickFacts } from "./quick-facts.server";
import type { SetupCheck, SetupResult, Verdict } from "./setup-check";
import { machineChecks } from "./machine-checks";
import { mailChecks } from "./mail-checks";
import { pageChecks } from "./page-checks";
import { secretChecks } from "./secret-checks";
import { upstreamChecks } from "./upstream-checks";

/** All checks, in the order in which they are shown (docs/operations.md has the same table). */
export const setupChecks: readonly SetupCheck[] = [
  ...addressChecks,
  ...pageChecks,
  ...secretChecks,
  ...accountChecks,
  ...dataChecks,
  ...mailChecks,
  ...machineChecks,
  ...upstreamChecks,
];

/** Makes every check (hardening C34). */
export function checkSetup(facts: SetupFacts): SetupResult[] {
  return setupChecks.map((each) => toResult(each, each.check(facts)));
}

/** Makes the checks that take no time. */
export function checkQuickly(facts: QuickFacts): SetupResult[] {
  return setupChecks.flatMap((each) => (each.isQuick ? [toResult(each, each.check(facts))] : []));
}

function toResult({ name, settings, severity }: SetupCheck, { outcome, why }: Verdict): SetupResult {
  return { name, settings, state: outcome === "problem" ? severity : outcome, why };
}
