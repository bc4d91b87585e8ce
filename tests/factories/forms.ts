import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createSignups, type SignupsDeps, type FormContext } from "~/services/signups/signups.server";
import { createTestClock, type TestClock } from "./time";

/** Returns the submission context of an honest visitor's form, with overrides. */
export function createFormContext(stamp: string, differing: Partial<FormContext> = {}): FormContext {
  return {
    honeypot: "",
    stamp,
    consent: { wording: "You may write to me.", version: "2026-11" },
    address: "203.0.113.9",
    ...differing,
  };
}

export const ada = {
  name: "Ada Byron",
  email: "Ada@Example.com",
  company: "Analytical Engines",
  role: "developer",
} as const;

/** Creates signups on a database, and the stamp of a form that was rendered five seconds ago. */
export function createTestSignups(
  database: Database,
  { clock = createTestClock(), ...deps }: Pick<SignupsDeps, "mirror" | "optIn"> & { clock?: TestClock } = {},
) {
  const stamps = createFormStamps("a secret of the tests");
  const signups = createSignups({ database, stamps, clock, newId, ...deps });
  let networks = 0;
  return { clock, stamps, signups, stamp: createStamp(), createForm };

  function createStamp(): string {
    return stamps.create(clock() - seconds(5));
  }

  /** Returns the submission context of an honest visitor's form, each time from another network. */
  function createForm(differing: Partial<FormContext> = {}): FormContext {
    networks += 1;
    const address = `10.${networks >> 8}.${networks & 255}.1`;
    return createFormContext(createStamp(), { address, ...differing });
  }
}
