import { accountChecks } from "./account-checks";
import { addressChecks } from "./address-checks";
import { mailChecks } from "./mail-checks";
import { pageChecks } from "./page-checks";
import type { SetupCheck, SetupResult } from "./setup-check";
import { setupChecks } from "./setup-checks";

/** The steps from a first start to a public page, in the order in which a newcomer takes them. */
const STEP_NAMES = [
  "address",
  "brand",
  "mail-server",
  "sender",
  "test-email",
  "privacy",
  "backup",
  "signup",
  "colleague",
  "login",
  "server",
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/**
 * - done: nothing is left to do, and what can be proved was proved.
 * - open: something has to be done.
 * - unproven: it seems right, but nobody has tried it yet.
 */
export type StepState = "done" | "open" | "unproven";

/** How far the setup has come; `next` is undefined when everything is done. */
export interface SetupProgress {
  readonly done: number;
  readonly total: number;
  readonly next: StepName | undefined;
}

const isPrivacy = ({ name }: SetupCheck) => name.startsWith("privacy-");
const isMailServer = ({ name }: SetupCheck) => name === "mail-driver" || name === "smtp-tls";
const isBackup = ({ name }: SetupCheck) => name.startsWith("backup-");

/** The checks of each step but the last, whose are all others. */
const NAMED: Readonly<Record<Exclude<StepName, "server">, readonly SetupCheck[]>> = {
  address: addressChecks,
  brand: pageChecks.filter((check) => !isPrivacy(check)),
  "mail-server": mailChecks.filter(isMailServer),
  sender: mailChecks.filter((check) => !isMailServer(check)),
  "test-email": [],
  privacy: pageChecks.filter(isPrivacy),
  backup: setupChecks.filter(isBackup),
  signup: [],
  colleague: [],
  login: accountChecks,
};

const named = new Set(Object.values(NAMED).flat());

/** Every step with its checks: each check is in exactly one. */
export const setupSteps: readonly { readonly name: StepName; readonly checks: readonly SetupCheck[] }[] =
  STEP_NAMES.map((name) => ({
    name,
    checks: name === "server" ? setupChecks.filter((check) => !named.has(check)) : NAMED[name],
  }));

/** Warnings without which a step is not done. All other warnings are advice. */
const DECISIVE_WARNINGS = ["origin-answers", "privacy-url", "backup-age", "two-factor"];

const isDecisive = ({ severity, name }: SetupCheck) =>
  severity === "error" || DECISIVE_WARNINGS.includes(name);

/**
 * Returns the state of a step.
 * @param results by the check's name, of the checks that were made.
 * @param proof the state of what the step proves besides; undefined when it stands on its checks.
 */
export function getStepState(
  checks: readonly SetupCheck[],
  results: ReadonlyMap<string, Pick<SetupResult, "state">>,
  proof: StepState | undefined,
): StepState {
  const decisive = checks.filter(isDecisive).map(({ name }) => results.get(name));
  if (decisive.some((result) => result?.state === "error" || result?.state === "warning")) return "open";
  if (proof !== undefined && proof !== "done") return proof;
  return decisive.includes(undefined) ? "unproven" : "done";
}
