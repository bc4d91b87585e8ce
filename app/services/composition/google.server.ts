import { EnvironmentError, type Environment } from "~/env.server";
import type { SubmissionKind } from "~/lib/form-fields";
import type { GoogleAccount } from "~/services/google/drivers/google-account.server";
import type { SheetReading } from "~/services/google/drivers/spreadsheet.server";
import { chooseGoogleCredential, type GoogleUse } from "~/services/google/google-credential.server";
import type { Mailer } from "~/services/mail/mailer";
import type { SubmissionMirror } from "~/services/mirrors/submission-mirror";
import type { Clock } from "~/services/service-deps";

/**
 * Opens the mirror in three spreadsheets, given their ids.
 * @throws EnvironmentError without Google credentials that may write there.
 */
export async function openGoogleSheetsMirror(
  environment: Environment,
  sheets: Readonly<Record<SubmissionKind, string>>,
  clock: Clock,
): Promise<SubmissionMirror> {
  const account = await openGoogleAccount(environment, "sheets");
  const { GoogleSheetsMirror } = await import("~/services/mirrors/drivers/google-sheets-mirror.server");
  return new GoogleSheetsMirror({
    account,
    clock,
    spreadsheets: {
      "early-access": { id: sheets["early-access"], variable: "SHEET_EARLY_ACCESS_ID" },
      "contact-form": { id: sheets["contact-form"], variable: "SHEET_CONTACT_ID" },
      "updates-signup": { id: sheets["updates-signup"], variable: "SHEET_UPDATES_ID" },
    },
  });
}

/** Creates the Gmail driver. @throws EnvironmentError without Google credentials that may send. */
export async function createGmailMailer(environment: Environment, clock: Clock): Promise<Mailer> {
  const account = await openGoogleAccount(environment, "gmail");
  const { GmailMailer } = await import("~/services/mail/drivers/gmail-mailer.server");
  return new GmailMailer({ account, clock });
}

/**
 * Creates a reader of ranges of one spreadsheet, for imports of accounts (`npm run accounts -- import`).
 * @param sheet its id, and the variable that names it.
 * @throws EnvironmentError without Google credentials that may read.
 */
export async function createSheetReader(
  environment: Environment,
  sheet: { id: string; variable: string },
  clock: Clock,
): Promise<(range: string) => Promise<SheetReading>> {
  const account = await openGoogleAccount(environment, "read");
  const { readSheet } = await import("~/services/google/drivers/spreadsheet.server");
  return (range) => readSheet({ account, ...sheet, clock }, range);
}

/**
 * Opens our Google credentials for one use. Google's packages are loaded only where they are chosen.
 * @throws EnvironmentError with a message that says what to do.
 */
export async function openGoogleAccount(
  environment: Environment,
  use: GoogleUse | "read",
): Promise<GoogleAccount> {
  const chosen = chooseGoogleCredential(
    {
      folder: environment.DATA_DIR,
      credentials: environment.GOOGLE_APPLICATION_CREDENTIALS,
      gmailUser: environment.GMAIL_USER,
      apiKey: environment.GOOGLE_API_KEY,
    },
    use,
  );
  if (!chosen.ok) throw new EnvironmentError(chosen.problem);
  const [driver, { openGoogleTransport }] = await Promise.all([
    import("~/services/google/drivers/google-account.server"),
    import("~/services/google/drivers/google-transport.server"),
  ]);
  const { GOOGLE_PROXY: proxy, MAIL_CONCURRENCY: connections } = environment;
  const transport = openGoogleTransport({ proxy, connections });
  return driver.openGoogleAccount(chosen.credential, use === "read" ? "sheets" : use, transport);
}
