/** Texts of the page that returns a form whose session has ended. */
export const sessionEndedMessages = {
  title: "Your session has ended",
  kept: "Nothing you typed is lost. Log in again in another tab, then come back to this page and continue.",
  logIn: "Log in in another tab",
  logInHere: "Log in",
  continue: "Continue",
} as const;
