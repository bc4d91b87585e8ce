import type { DeployFacts } from "./collect-facts";

/**
 * A check of a public deployment (`npm run check:deploy`, hardening C34): a pure function of the collected facts.
 * Its id is stable, because people refer to it in their notes.
 */
export interface DeployCheck {
  readonly id: string;
  /** The severity of a failed check: an error stops a deployment, a warning is for a person to decide. */
  readonly severity: "error" | "warning";
  check(facts: DeployFacts): Verdict;
}

export interface Verdict {
  readonly outcome: "ok" | "problem" | "not applicable";
  /** The result, what to do, or why it was skipped. */
  readonly sentence: string;
}

type Check = DeployCheck["check"];
export const errorCheck = (id: string, check: Check): DeployCheck => ({ id, severity: "error", check });
export const warningCheck = (id: string, check: Check): DeployCheck => ({ id, severity: "warning", check });

export const ok = (sentence: string): Verdict => ({ outcome: "ok", sentence });
export const problem = (sentence: string): Verdict => ({ outcome: "problem", sentence });
export const notApplicable = (sentence: string): Verdict => ({ outcome: "not applicable", sentence });
