import { accountChecks } from "./account-checks";
import { addressChecks } from "./address-checks";
import { dataChecks } from "./data-checks";
import type { DeployFacts } from "./collect-facts";
import type { DeployCheck } from "./deploy-check";
import { machineChecks } from "./machine-checks";
import { mailChecks } from "./mail-checks";
import { pageChecks } from "./page-checks";
import { secretChecks } from "./secret-checks";
import { upstreamChecks } from "./upstream-checks";

/** All checks, in the order in which they are shown (docs/operations.md has the same table). */
export const deployChecks: readonly DeployCheck[] = [
  ...addressChecks,
  ...pageChecks,
  ...secretChecks,
  ...accountChecks,
  ...dataChecks,
  ...mailChecks,
  ...machineChecks,
  ...upstreamChecks,
];

type Finding = ReturnType<typeof checkDeployment>[number];

/** Runs every check (hardening C34). */
export function checkDeployment(facts: DeployFacts) {
  return deployChecks.map(({ id, severity, check }) => {
    const { outcome, sentence } = check(facts);
    return { id, outcome: outcome === "problem" ? severity : outcome, sentence };
  });
}

/** Formats the findings as a table for a terminal, and below it the ids of the errors and the warnings. */
export function formatFindings(findings: readonly Finding[]): string {
  const idWidth = Math.max(...findings.map(({ id }) => id.length));
  const outcomeWidth = Math.max(...findings.map(({ outcome }) => outcome.length));
  const rows = findings.map(
    ({ id, outcome, sentence }) => `${id.padEnd(idWidth)}  ${outcome.padEnd(outcomeWidth)}  ${sentence}`,
  );
  const summarize = (outcome: "error" | "warning") => {
    const ids = findings.filter((finding) => finding.outcome === outcome).map(({ id }) => id);
    return `${ids.length} ${outcome}${ids.length === 1 ? "" : "s"}${ids.length > 0 ? `: ${ids.join(", ")}` : ""}.`;
  };
  return [...rows, "", summarize("error"), summarize("warning")].join("\n");
}
