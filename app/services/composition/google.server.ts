import { EnvironmentError } from "~/env.server";
import type { Environment } from "~/env.server";
import type { Clock } from "~/services/clock";
import type { SheetReading } from "~/services/google/drivers/read-sheet.server";
import type { Mailer } from "~/services/mail/mailer";
import type { SubmissionMirror } from "~/services/mirrors/submission-mirror";
import { openGoogleAccount } from "./google-account.server";

/** The mirror in three spreadsheets. @throws EnvironmentError when nobody of Google's may write there. */
export async function openGoogleSheetsMirror(
  environment: Environment,
  clock: Clock,
): Promise<SubmissionMirror> {
  const account = await openGoogleAccount(environment, "sheets");
  const { GoogleSheetsMirror } = await import("~/services/mirrors/drivers/google-sheets-mirror.server");
  return new GoogleSheetsMirror({
    ...{ account, clock },
    spreadsheets: {
      "early-access": spreadsheetOf(environment, "SHEET_EARLY_ACCESS_ID"),
      "contact-form": spreadsheetOf(environment, "SHEET_CONTACT_ID"),
      "updates-signup": spreadsheetOf(environment, "SHEET_UPDATES_ID"),
    },
  });
}

/** @throws EnvironmentError when nobody of Google's may send. */
export async function gmailMailer(environment: Environment, clock: Clock): Promise<Mailer> {
  const account = await openGoogleAccount(environment, "gmail");
  const { GmailMailer } = await import("~/services/mail/drivers/gmail-mailer.server");
  return new GmailMailer({ account, clock });
}

/**
 * What reads ranges of one spreadsheet, for imports.
 * @param sheet its id, and the variable that names it.
 * @throws EnvironmentError when nobody of Google's may read.
 */
export async function sheetReader(
  environment: Environment,
  sheet: { id: string; variable: string },
  clock: Clock,
): Promise<(range: string) => Promise<SheetReading>> {
  const account = await openGoogleAccount(environment, "read");
  const { readSheet } = await import("~/services/google/drivers/read-sheet.server");
  return (range) => readSheet({ account, ...sheet, clock }, range);
}

type SheetVariable = "SHEET_EARLY_ACCESS_ID" | "SHEET_CONTACT_ID" | "SHEET_UPDATES_ID";

/** @throws EnvironmentError */
function spreadsheetOf(environment: Environment, variable: SheetVariable) {
  const id = environment[variable];
  if (id !== undefined) return { id, variable };
  throw new EnvironmentError(`The environment is not usable:\n  ${variable}: is needed for the spreadsheets`);
}
