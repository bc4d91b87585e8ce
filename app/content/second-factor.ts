import { formatCount } from "~/lib/format-number";

const minutes = (count: number) => formatCount(count, "minute");

/** Texts of two-factor login, for the login and the back office. */
export const secondFactorMessages = {
  title: "Two-factor login",
  code: "Authentication code",
  recoveryCode: "Recovery code",
  eitherCode: "Authentication code or recovery code",
  wrongCode: "This code did not work",
  wrongCodeAdvice:
    "A code works once and for about a minute. Check that your phone sets its clock automatically, then enter the newest code.",
  wrongRecoveryCodeAdvice:
    "A recovery code has 15 characters and works once. Please enter one you have not used.",
  missingCode: "Please enter the six digits your authenticator app shows now.",
  missingAnyCode: "Please enter the code your authenticator app shows now, or a recovery code.",
  password: "Current Password",
  missingRecoveryCode: "Please enter one of your recovery codes.",
  tooMany: "Too many wrong attempts",
  tooManyAdvice: (seconds: number) => `Nothing was changed; please wait ${minutes(Math.ceil(seconds / 60))}.`,
  atLogin: {
    explains: "Your password is correct. Now enter the code your authenticator app shows.",
    explainsRecovery: "Your password is correct. Enter one of your recovery codes. Each works once.",
    useRecoveryCode: "Use a recovery code instead",
    useCode: "Use an app code instead",
    startAgain: "Log in with another account",
    help: "Lost both? An administrator can reset your two-factor login.",
    tooManyAdvice: (seconds: number) =>
      `Please wait ${minutes(Math.ceil(seconds / 60))}, or use a recovery code if you have not tried one yet.`,
  },
  off: {
    state: "Off. Your password alone opens this account.",
    explains: [
      "With two-factor login, you also enter a code from an app on your phone. It changes every 30 seconds.",
      "Somebody who guesses or steals your password still cannot log in.",
    ],
    required: "This server requires it for every account. Turn it on to open the rest of the back office.",
    begin: "Set up two-factor login",
    needs: "You need an authenticator app, such as the one in your password manager.",
  },
  enrolling: {
    state: "Set it up in three steps.",
    scanTitle: "Scan this code with your authenticator app",
    qrLabel: "QR code for your authenticator app; the key below has the same content",
    keyLabel: "No camera? Type this key into the app instead:",
    codeTitle: "Enter the code the app shows",
    codeHint: "Six digits; they change every 30 seconds.",
    confirm: "Turn on two-factor login",
    keepTitle: "Keep your recovery codes",
    keepExplains: "They are shown next, once, in case you lose your phone.",
    abandon: "Not now",
  },
  issued: {
    turnedOn: "Two-factor login is on",
    renewed: "New recovery codes created",
    title: "Keep these recovery codes",
    explains: [
      "Each logs you in once when you do not have your phone. Print them or put them into your password manager.",
      "They are not stored and will not be shown again.",
    ],
    oldOnesEnd: "The old codes no longer work.",
    listLabel: "Recovery codes",
    download: "Download",
    print: "Print",
    kept: "I have saved them",
  },
  on: {
    /** Followed by a relative time. */
    since: "On, since",
    title: "Recovery codes",
    left: (count: number) =>
      count === 0
        ? "No recovery code is left."
        : `${count} of 10 recovery codes ${count === 1 ? "is" : "are"} left.`,
    fewLeft: "Create new ones before you need them.",
    explains: "Each logs you in once without your phone.",
    renew: "Create new codes",
    appTitle: "Authenticator app",
    app: "Every login asks for a code from your app.",
    newPhone: "New phone? Turn two-factor login off and set it up again.",
    required: "This server requires it for every account, so it cannot be turned off.",
    turnOff: "Turn off",
  },
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
  facts: {
    title: "Good to know",
    list: [
      "The app works offline: it makes the codes from the key and the time.",
      "Browsers that are logged in stay logged in.",
      "Phone and recovery codes both lost? A superadmin can reset it in User Management.",
    ],
    sessions: "See where you are logged in",
  },
  failed: "Two-factor login was not changed",
  fileIntro: (product: string) => `${product} back office: recovery codes, each good for one login`,
  users: {
    state: "two-factor login on",
    reset: "Reset two-factor login",
    question: {
      title: "Reset two-factor login?",
      text: [
        "Their app codes and recovery codes stop working; their password alone opens the account.",
        "Do this only if you are sure who asked. All their sessions end.",
      ],
      yes: "Yes, Reset It",
      no: "Keep it on",
    },
  },
} as const;
