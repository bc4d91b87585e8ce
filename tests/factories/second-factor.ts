import { generateSync } from "otplib";
import type { Database } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { createAccounts } from "~/services/accounts/accounts.server";
import { ensureSuperadmin } from "~/services/accounts/first-superadmin.server";
import { createSecondFactor } from "~/services/second-factor/second-factor.server";
import { createSecondStep } from "~/services/second-factor/second-step.server";
import { createSecretBox } from "~/services/second-factor/secret-box.server";
import { createSessions } from "~/services/sessions/sessions.server";
import { createAccountDeps, origin, openSession } from "./accounts";

export const GIVEN = { email: "superadmin@example.com", password: "correct horse" };

/** A superadmin who is logged in, on a database, and all that their second factor is about. */
export async function createTestSecondFactor(database: Database, { isRequired = false } = {}) {
  const parts = createAccountDeps(database);
  const deps = { ...parts, box: createSecretBox("a secret of the tests") };
  const { clock } = deps;
  await ensureSuperadmin(deps, GIVEN);
  const accounts = createAccounts(deps);
  const sessions = createSessions(deps);
  const who = (await sessions.find(await openSession(accounts, GIVEN)))!;
  const secondFactor = createSecondFactor({ ...deps, issuer: "Tests", isRequired });
  const secondStep = createSecondStep(deps);
  /** What the app shows at this moment, or so many steps later. */
  const codeFor = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(clock() / 1000) + 30 * steps });
  /** Sets it up; resolves with the secret and the recovery codes. The code of this very moment is used up. */
  const turnOn = async () => {
    await secondFactor.begin(who, GIVEN.password, origin);
    const state = await secondFactor.getState(who);
    if (state.kind !== "enrolling") throw new Error(state.kind);
    const confirmed = await secondFactor.confirm(who, codeFor(state.secret), origin);
    if (!confirmed.ok) throw new Error(confirmed.error);
    clock.forward(seconds(30));
    return { secret: state.secret, recoveryCodes: confirmed.recoveryCodes };
  };
  /** The first step of a login, right; resolves with what opens the second. */
  const password = async (given = GIVEN) => {
    const outcome = await accounts.logIn(given, origin);
    if (outcome.ok || outcome.error !== "code-needed") throw new Error("no code was asked for");
    return outcome.pending;
  };
  const logIn = async (code: string, address = origin.address) =>
    secondStep.finish(await password(), code, { ...origin, address });
  return { ...deps, accounts, sessions, who, secondFactor, secondStep, codeFor, turnOn, password, logIn };
}
