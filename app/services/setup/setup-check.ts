import type { Environment } from "~/env.server";
import type { QuickFacts } from "./quick-facts.server";
import type { SetupFacts } from "./setup-facts.server";

type Setting = keyof Environment;

/**
 * A check of a public deployment (`npm run check:deploy`, the setup screen, hardening C34): a pure function of the
 * collected facts. Its name is stable, because people refer to it in their notes.
 */
interface Check {
  readonly name: string;
  /** The settings that decide it; none when something else has to be done. */
  readonly settings: readonly Setting[];
  /** The state of a failed check: an error stops a deployment, a warning is for a person to decide. */
  readonly severity: "error" | "warning";
}

/** A check that a screen can make whenever it is opened. */
export interface QuickCheck extends Check {
  readonly isQuick: true;
  check(facts: QuickFacts): Verdict;
}

/** A check of facts that take a while: other systems, programs, and files of any number. */
interface SlowCheck extends Check {
  readonly isQuick: false;
  check(facts: SetupFacts): Verdict;
}

export type SetupCheck = QuickCheck | SlowCheck;

export interface Verdict {
  readonly outcome: "ok" | "problem" | "not applicable";
  /** The result, what to do and why, or why it was skipped. */
  readonly why: string;
}

/** The result of a check. */
export interface SetupResult extends Pick<Check, "name" | "settings">, Pick<Verdict, "why"> {
  readonly state: "ok" | "error" | "warning" | "not applicable";
}

type Settings = Check["settings"];

const quick =
  (severity: Check["severity"]) =>
  (name: string, settings: Settings, check: QuickCheck["check"]): SetupCheck => ({
    name,
    settings,
    severity,
    isQuick: true,
    check,
  });
const slow =
  (severity: Check["severity"]) =>
  (name: string, settings: Settings, check: SlowCheck["check"]): SetupCheck => ({
    name,
    settings,
    severity,
    isQuick: false,
    check,
  });

export const errorCheck = quick("error");
export const warningCheck = quick("warning");
export const slowErrorCheck = slow("error");
export const slowWarningCheck = slow("warning");

export const ok = (why: string): Verdict => ({ outcome: "ok", why });
export const problem = (why: string): Verdict => ({ outcome: "problem", why });
export const notApplicable = (why: string): Verdict => ({ outcome: "not applicable", why });
