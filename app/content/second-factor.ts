import { formatCount } from "~/lib/format-number";

const minutes = (count: number) => formatCount(count, "minute");

/** Texts of two-factor login, for the login and the back office. */
export const secondFactorMessages = {
  title: "Two-factor login",
  code: "Authentication code",
  wrongCode: "This code did not work",
  wrongCodeAdvice:
    "A code works once and for about a minute. Check that your phone sets its clock automatically, then enter the newest code.",
  missingCode: "Please enter the six digits your authenticator app shows now.",
  tooMany: "Too many wrong attempts",
  tooManyAdvice: (seconds: number) => `Nothing was changed; please wait ${minutes(Math.ceil(seconds / 60))}.`,
  tooManyAtLogin: (seconds: number) =>
    `Please wait ${minutes(Math.ceil(seconds / 60))}, or use a recovery code if you have not tried one yet.`,
  left: (count: number) =>
    count === 0
      ? "No recovery code is left."
      : `${count} of 10 recovery codes ${count === 1 ? "is" : "are"} left.`,
  required: "This server requires it for every account, so it cannot be turned off.",
  questions: {
    renew: {
      title: "Create new recovery codes?",
      text: "You will see ten new codes once. The old codes stop working at once.",
      yes: "Create new codes",
      no: "Keep the old codes",
    },
    "turn-off": {
      title: "Turn off two-factor login?",
      text: "Your password alone will open this account. Codes from the app and recovery codes stop working.",
      yes: "Yes, Turn It Off",
      no: "Keep it on",
    },
  },
  failed: "Two-factor login was not changed",
} as const;
