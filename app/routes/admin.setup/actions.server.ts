import type { NoticeCode } from "~/content/notices";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { setup } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { StepName } from "~/services/setup/setup-steps";

/** Handles the page's buttons, and the card's on the dashboard, by intent. */
export async function actOnSetup(request: Request, operator: SignedIn): Promise<Response> {
  const { intent = "", step = "" } = firstValues(await readForm(request));
  const actor = getActor(request, operator);
  switch (intent) {
    case "send-test-email":
      return reportAt("test-email", toNotice(await setup.sendTestEmail(actor)));
    case "check": {
      const notice = (await setup.check()) ? "setup-checked" : "setup-check-waiting";
      return report(notice, paths.setup, { step: step || undefined });
    }
    case "remove-signups": {
      const count = await setup.removeOwnSignups(actor);
      return reportAt("signup", count > 0 ? "setup-signups-removed" : "setup-no-signups");
    }
    case "dismiss-card":
      await setup.dismissCard(actor);
      return report("setup-card-dismissed", paths.dashboard);
    case "restore-card":
      await setup.restoreCard(actor);
      return report("setup-card-restored", paths.setup);
    default:
      return report(undefined, paths.setup);
  }
}

const reportAt = (step: StepName, notice: NoticeCode) => report(notice, paths.setup, { step });

function toNotice(outcome: Awaited<ReturnType<typeof setup.sendTestEmail>>): NoticeCode {
  switch (outcome) {
    case "accepted":
      return "test-email-accepted";
    case "stored":
      return "test-email-stored";
    case "waiting":
      return "test-email-waiting";
    case "unknown":
      return "test-email-unknown";
    default:
      return "test-email-refused";
  }
}
