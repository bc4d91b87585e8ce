import type { DeployFacts } from "./deploy-facts";

/**
 * One question to a product that is to be served to the public (`npm run check:deploy`, hardening C34): a pure function of
 * what was found out. Its id is stable, because people name it in their notes.
 */
export interface DeployCheck {
  readonly id: string;
  /** What trouble means: an error stops a deployment, a warning is for a person to decide. */
  readonly severity: "error" | "warning";
  judge(facts: DeployFacts): Verdict;
}

export interface Verdict {
  readonly is: "ok" | "trouble" | "not-applicable";
  /** What holds, what to do, or why it is not asked. */
  readonly sentence: string;
}

export const ok = (sentence: string): Verdict => ({ is: "ok", sentence });
export const trouble = (sentence: string): Verdict => ({ is: "trouble", sentence });
export const notApplicable = (sentence: string): Verdict => ({ is: "not-applicable", sentence });
