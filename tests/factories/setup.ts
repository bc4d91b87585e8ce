import type { Database } from "~/db/database.server";
import { composeSetupEmail } from "~/emails/setup-email";
import { DailyAllowance } from "~/services/mail/delivery/daily-allowance.server";
import { createTestEmailKind } from "~/services/outreach/sample-email.server";
import { newId } from "~/services/service-deps";
import { createSetup } from "~/services/setup/setup.server";
import { ScriptedMailer, type Script } from "../fakes/scripted-mailer";
import { brand } from "./brand";
import { deployment, type DeploymentChanges } from "./deployment";
import { createTestSubmissions } from "./submissions";
import { createManualTimers } from "./time";
import { createTestEmails, sender } from "./transactional-emails";

/**
 * Creates the setup of a deployment that is ready for production, on a database, with a mailer that answers by
 * `script`. `change` is what the next look at the deployment finds.
 */
export function createTestSetup(database: Database, script?: Script, { perDay = 0 } = {}) {
  const { clock, deletions } = createTestSubmissions(database);
  const mailer = new ScriptedMailer(script);
  const kind = createTestEmailKind({ clock, newId });
  const allowance = new DailyAllowance(perDay);
  const emails = createTestEmails(database, clock, {
    mailer,
    allowance,
    kinds: [kind],
  });
  const { setTimer, forward } = createManualTimers();
  let found: DeploymentChanges = {};
  const setup = createSetup({
    database,
    clock,
    newId,
    setTimer,
    deletions,
    allowance,
    sending: {
      emails,
      kind,
      sender,
      compose: (email) => composeSetupEmail({ ...email, brandName: brand.name }),
    },
    collectQuickFacts: async (accounts) => ({ ...deployment(found), accounts }),
    collectSetupFacts: async () => deployment(found),
  });
  return {
    setup,
    clock,
    mailer,
    forward,
    change: (changes: DeploymentChanges) => (found = changes),
    /** Returns the state of each step, by its name. */
    async getStates(): Promise<Record<string, string>> {
      const { steps } = await setup.getView({ email: "ada@confer.dev" });
      return Object.fromEntries(steps.map(({ name, state }) => [name, state]));
    },
  };
}
