import { accountChecks } from "./account-checks";
import { addressChecks } from "./address-checks";
import { backupChecks } from "./backup-checks";
import { dataChecks } from "./data-checks";
import type { DeployCheck, DeployFacts } from "./deploy-check";
import { machineChecks } from "./machine-checks";
import { mailChecks } from "./mail-checks";
import { secretChecks } from "./secret-checks";
import { upstreamChecks } from "./upstream-checks";

/** All checks, in the order in which they are shown (docs/operations.md has the same table). */
export const deployChecks: readonly DeployCheck[] = [
  ...addressChecks,
  ...secretChecks,
  ...accountChecks,
  ...dataChecks,
  ...backupChecks,
  ...mailChecks,
  ...machineChecks,
  ...upstreamChecks,
];

interface Finding {
  readonly id: string;
  readonly outcome: "ok" | "warning" | "error" | "not applicable";
  readonly sentence: string;
}

/** Runs every check (hardening C34). */
export function judgeDeployment(facts: DeployFacts): Finding[] {
  return deployChecks.map(({ id, severity, check }) => {
    const { is, sentence } = check(facts);
    const outcome = is === "trouble" ? severity : is === "not-applicable" ? "not applicable" : is;
    return { id, outcome, sentence };
  });
}

/** Formats the findings as a table for a terminal, and below it the actions to take. */
export function writtenFindings(findings: readonly Finding[]): string {
  const width = (cells: readonly string[]) => Math.max(...cells.map(({ length }) => length));
  const ids = width(findings.map(({ id }) => id));
  const outcomes = width(findings.map(({ outcome }) => outcome));
  const rows = findings.map(
    ({ id, outcome, sentence }) => `${id.padEnd(ids)}  ${outcome.padEnd(outcomes)}  ${sentence}`,
  );
  const named = (outcome: Finding["outcome"]) => {
    const those = findings.filter((finding) => finding.outcome === outcome).map(({ id }) => id);
    return `${those.length} ${outcome}${those.length === 1 ? "" : "s"}${those.length > 0 ? `: ${those.join(", ")}` : ""}.`;
  };
  return [...rows, "", named("error"), named("warning")].join("\n");
}
