import { composeSetupEmail } from "~/emails/setup-email";
import { collectQuickFacts } from "~/services/setup/quick-facts.server";
import { collectSetupFacts } from "~/services/setup/setup-facts.server";
import { createSetup } from "~/services/setup/setup.server";
import type { Foundation } from "./foundation.server";
import type { Sending } from "./sending.server";
import type { composeSubmissions } from "./submissions.server";

/** Composes what shows superadmins how far the setup has come. */
export function composeSetup(
  { environment, brand, database, clock, newId }: Foundation,
  { emails, emailKinds, sender, queueOptions }: Sending,
  { deletions }: Pick<ReturnType<typeof composeSubmissions>, "deletions">,
) {
  const program = { folder: process.cwd(), build: "running" } as const;
  const backupFolder = undefined;
  return createSetup({
    database,
    clock,
    newId,
    allowance: queueOptions.allowance,
    collectQuickFacts: (accounts) =>
      collectQuickFacts(environment, { clock, accounts, hasDatabase: true, backupFolder }),
    collectSetupFacts: () => collectSetupFacts(environment, backupFolder, program),
    sending: {
      emails,
      kind: emailKinds.test,
      sender,
      compose: (email) => composeSetupEmail({ ...email, brandName: brand.name }),
    },
    deletions,
  });
}
