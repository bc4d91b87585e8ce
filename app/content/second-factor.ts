const minutes = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "minute" : "minutes"}`;

/** What two-factor login says, at the login and in the back office. */
export const secondFactorMessages = {
  title: "Two-factor login",
  code: "Authentication code",
  recoveryCode: "Recovery code",
  eitherCode: "Authentication code or recovery code",
  wrongCode: "This code did not work",
  wrongCodeAdvice:
    "A code works once and for about a minute. Check that your phone sets its clock by itself, then enter the newest code.",
  wrongRecoveryCodeAdvice: "A recovery code has 15 signs and works once. Please enter one you have not used.",
  missingCode: "Please enter the six digits your authenticator app shows now.",
  password: "Current Password",
  missingRecoveryCode: "Please enter one of your recovery codes.",
  tooMany: "There were too many wrong tries",
  tooManyAdvice: (seconds: number) => `Nothing was changed; please wait ${minutes(Math.ceil(seconds / 60))}.`,
  atLogin: {
    explains: "Your password is right. Now enter the code your authenticator app shows.",
    explainsRecovery:
      "Your password is right. Enter one of the recovery codes you kept; it is used up by this.",
    useRecoveryCode: "Use a recovery code instead",
    useCode: "Use the code of the app instead",
    startAgain: "Log in with another account",
    help: "Lost both? An administrator can reset your two-factor login.",
    tooManyAdvice: (seconds: number) =>
      `Please wait ${minutes(Math.ceil(seconds / 60))}, or use a recovery code if you have not tried one yet.`,
    over: "The login was not finished in time, or your password changed meanwhile. Please log in again.",
  },
  off: {
    state: "Off. Your password alone opens this account.",
    explains: [
      "With it, a login also asks for a code from an app on your phone, which changes every 30 seconds.",
      "Whoever guesses or steals your password then still cannot log in.",
    ],
    required: "On this server every account needs it. The rest of the back office opens when it is on.",
    begin: "Set up two-factor login",
    needs: "You need an authenticator app, such as the one in your password manager.",
  },
  enrolling: {
    state: "Three steps, and it is on.",
    scanTitle: "Scan this code with your authenticator app",
    qrLabel: "QR code for your authenticator app; the key below it says the same",
    keyLabel: "No camera? Type this key into the app instead:",
    codeTitle: "Enter the code the app shows",
    codeHint: "Six digits; they change every 30 seconds.",
    confirm: "Turn on two-factor login",
    keepTitle: "Keep your recovery codes",
    keepExplains: "They are shown next, once, for the day your phone is lost.",
    abandon: "Not now",
    over: "This took more than an hour or was ended elsewhere. Nothing is on yet; please start again.",
  },
  issued: {
    turnedOn: "Two-factor login is on",
    renewed: "New recovery codes made",
    title: "Keep these recovery codes",
    explains: [
      "Each logs you in once when you do not have your phone. Print them or put them into your password manager.",
      "They are kept nowhere here and will not be shown again.",
    ],
    oldOnesEnd: "The old ones do not work any more.",
    listLabel: "Recovery codes",
    download: "Download",
    print: "Print",
    kept: "I have kept them",
  },
  on: {
    /** Goes on with how long ago. */
    since: "On, since",
    title: "Recovery codes",
    left: (count: number) =>
      count === 0
        ? "No recovery code is left."
        : `${count} of 10 recovery codes ${count === 1 ? "is" : "are"} left.`,
    fewLeft: "Make new ones before you need them.",
    explains: "Each logs you in once without your phone.",
    renew: "Make new codes",
    renewTitle: "Make new recovery codes?",
    renewQuestion: "You will see ten new ones, once. The old ones stop working at once.",
    keepCodes: "Keep the old ones",
    appTitle: "Authenticator app",
    app: "Codes from the app you set up are asked for at every login.",
    newPhone: "New phone? Turn it off and set it up again there.",
    required: "On this server every account needs it, so it cannot be turned off.",
    turnOff: "Turn off",
    turnOffTitle: "Turn off two-factor login?",
    turnOffQuestion:
      "Your password alone opens this account then. The app's codes and your recovery codes stop working.",
    turnOffYes: "Yes, Turn It Off",
    keep: "Keep it on",
  },
  facts: {
    title: "Good to know",
    list: [
      "The app needs no network and no account here: it makes the codes from the key and the time.",
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
    resetTitle: "Reset two-factor login?",
    resetQuestion: [
      "Their app's codes and their recovery codes stop working; their password alone opens the account then.",
      "Do this only when you are sure who asked. All their sessions end.",
    ],
    keep: "Keep it on",
    resetYes: "Yes, Reset It",
  },
  notices: {
    on: "Two-factor login is on. Your next login asks for a code.",
    renewed: "Your new recovery codes count from now on.",
    off: "Two-factor login is off. Your password alone opens this account.",
    reset: "Two-factor login reset. That account logs in with its password alone now.",
  },
} as const;
