const SIGN_IN = "Run npm run google -- login and restart the server.";
const API_NAMES = { sheets: "Google Sheets API", gmail: "Gmail API" } as const;
const RIGHTS = { sheets: "use spreadsheets", gmail: "send emails" } as const;
type Use = keyof typeof API_NAMES;

const formatGoogleReply = (reply: string) => ` Google says: ${reply}`;

/**
 * Problems of configuration and permission with Google, each with its remedy (docs/google.md). Like the words of a mail
 * server they are the detail of an outcome: stored, logged and printed by commands, beside a sentence of the screen.
 */
export const googleProblems = {
  /** Errors found before Google is called: these stop the start. */
  credential: {
    noneForSheets:
      "The spreadsheets need a Google account. Run npm run google -- login sheets, or set GOOGLE_APPLICATION_CREDENTIALS to a service account's key file.",
    noneForEmail:
      "MAIL_DRIVER=gmail needs a Google account. Run npm run google -- login gmail, or set GMAIL_USER and GOOGLE_APPLICATION_CREDENTIALS.",
    keyReadsOnly:
      "GOOGLE_API_KEY can only read spreadsheets. To write, run npm run google -- login sheets, or set GOOGLE_APPLICATION_CREDENTIALS.",
    noServiceAccount: (file: string) =>
      `GOOGLE_APPLICATION_CREDENTIALS: ${file} is not a service account key file`,
    unsafe: (file: string, mode: string) =>
      `${file} can be read by others (mode ${mode}). Run chmod 600 ${file}, or log in again.`,
    unreadable: (file: string) =>
      `${file} cannot be read as a login of npm run google. Run npm run google -- login again.`,
    scopeMissing: (use: Use) =>
      `The stored Google login has no permission to ${RIGHTS[use]}. Run npm run google -- login ${use}, and leave its box checked.`,
  },
  /** Errors that Google returned. */
  problems: {
    loginOver: (reply: string) => `Google no longer accepts the login. ${SIGN_IN}${formatGoogleReply(reply)}`,
    clientGone: (reply: string) =>
      `Google no longer knows the OAuth client. Download the client's JSON again. ${SIGN_IN}${formatGoogleReply(reply)}`,
    clockWrong: (reply: string) =>
      `Google does not accept the time in our request: set the clock of this machine.${formatGoogleReply(reply)}`,
    keyOver: (address: string, reply: string) =>
      `Google does not accept the key of ${address}. Create a new key for it and restart the server.${formatGoogleReply(reply)}`,
    noSuchUser: (user: string, reply: string) =>
      `${user} (GMAIL_USER) is not a user of the Workspace that trusts our service account.${formatGoogleReply(reply)}`,
    notDelegated: (address: string, user: string, scope: string, reply: string) =>
      `${address} may not act for ${user}: in the Workspace's admin console, Security, API controls, Domain-wide delegation, add its client id with the scope ${scope}.${formatGoogleReply(reply)}`,
    keyWrong: (reply: string) =>
      `Google rejected GOOGLE_API_KEY. Check its restrictions in Google Cloud: it may not allow this API or this machine.${formatGoogleReply(reply)}`,
    scopeMissing: (use: Use) =>
      `Google did not grant permission to ${RIGHTS[use]}. Run npm run google -- login ${use}, leave its box checked, and restart the server.`,
    apiDisabled: (use: Use, project: string, reply: string) =>
      `The ${API_NAMES[use]} is not enabled in the project${project && ` ${project}`}: enable it in Google Cloud, APIs and services, Library, and wait some minutes.${formatGoogleReply(reply)}`,
    accessRefused: (reply: string) => `Google denied access.${formatGoogleReply(reply)}`,
    notGoogles: "The response did not come from Google. Check GOOGLE_PROXY and anything else in between.",
  },
  sheets: {
    notShared: (variable: string, who: string) =>
      `The spreadsheet of ${variable} is not shared with ${who}. Share it with that account as an editor.`,
    noLinkToRead: (variable: string) =>
      `The spreadsheet of ${variable} is not shared with everybody who has the link, which GOOGLE_API_KEY needs.`,
    notFound: (variable: string, id: string) =>
      `There is no spreadsheet ${id}: ${variable} is the part between /d/ and /edit in its address.`,
    noSheet: (variable: string, titles: readonly string[]) =>
      `The spreadsheet of ${variable} has no sheet called sheet1 (it has ${titles.join(", ")}). Rename the one to use to sheet1.`,
    noHeader: (variable: string, cell: string) =>
      `Row 1 of the spreadsheet of ${variable} must be the header, but it contains ${cell}. Insert an empty row above it.`,
    full: (variable: string, reply: string) =>
      `The spreadsheet of ${variable} has no room for more rows. Delete other sheets in it, or create a new spreadsheet.${formatGoogleReply(reply)}`,
    protectedCells: (variable: string, reply: string) =>
      `Part of the spreadsheet of ${variable} is protected. Let our account edit columns A to E of sheet1.${formatGoogleReply(reply)}`,
    refused: (variable: string, reply: string) =>
      `Google rejected the request for the spreadsheet of ${variable}.${formatGoogleReply(reply)}`,
    tooLarge: (variable: string) =>
      `The requested part of the spreadsheet of ${variable} is larger than 5 MB. Read less of it at once.`,
    partly: (reply: string) => `Only the first of these rows have been written so far: ${reply}`,
    /** `who` of notShared, for a login. */
    loggedIn: "the account that logged in",
  },
  gmail: {
    noMailbox: (reply: string) =>
      `The Google account has no Gmail. Use another one, or set GMAIL_USER to a user who has one.${formatGoogleReply(reply)}`,
  },
} as const;
