import { formatCount } from "~/lib/format-number";

export const accountMessages = {
  title: "My account",
  state: "How colleagues know you, and how you log in.",
  name: {
    title: "Name",
    about: "Colleagues know you by it, and so do those you invite.",
    field: "Full name",
    save: "Save name",
  },
  email: {
    title: "Email address",
    about: "You log in with it, and colleagues see it in Activity.",
    current: "Your address is",
    field: "New email address",
    hint: "A link is sent there. Your address changes once the link is opened and confirmed.",
    password: "Current password",
    send: "Send the link",
    sending: "Sending...",
    notAsked: "Your address stays as it is",
    failed: "The link could not be created. Please try again; your address stays as it is.",
    passwordMissing: "Please enter your current password.",
    passwordWrong: "This is not your current password.",
    refusals: {
      unchanged: "This is your address already.",
      taken: "There is already an account for this address.",
      protected: "The server's settings protect this address. Please choose another one.",
    },
    throttled: (seconds: number) =>
      `Too many attempts. Please try again in ${formatCount(Math.ceil(seconds / 60), "minute")}.`,
    protected: "It is protected by the server's settings, so it cannot be changed here.",
    pending: "waits for its confirmation",
    expires: "The link works once, and expires",
    delivery: "Email",
    /** With the outbox, in which no email leaves this machine. */
    outbox: {
      superadmin: "No email leaves this machine. The link is in the outbox, where you can open it:",
      admin:
        "No email leaves this machine. A superadmin finds the link in the outbox and can give it to you.",
      link: "Email outbox",
    },
    withdraw: "Withdraw",
  },
  timeZone: {
    title: "Time zone",
    about:
      "It decides how times and days are shown to you, and when your daily email comes. Downloads, the API and times in emails keep UTC.",
    field: "Time zone",
    now: (time: string) => `It is ${time} there. Point at a time to see it in UTC.`,
    save: "Save time zone",
    problem: "Please choose one of the time zones.",
  },
  more: {
    title: "Login and browser",
    password: "Choose another one, which ends your other sessions.",
    secondFactorOn: "On: your login asks for a code.",
    secondFactorOff: "Off: your password alone opens this account.",
    alerts: "What you are told about by email.",
    sessions: "Where you are logged in.",
    shortcuts: "All keys, and how to turn them off.",
    theme: "Theme",
    themeAbout: "Of this browser.",
  },

  /** On the page that a link leads to. */
  page: {
    titles: {
      open: "Confirm your new address",
      used: "Your address was changed",
      withdrawn: "This link does not work any more",
      expired: "This link has expired",
      taken: "This address cannot be used",
      unknown: "This link does not work",
      throttled: "Too many attempts",
    },
    open: (brandName: string) => `Your account in the back office of ${brandName} gets this address:`,
    then: "You log in with it from then on. Your password stays the same.",
    confirm: "Use this address",
    used: "You log in with the new address now. Your password is the same, and your old address was told.",
    withdrawn:
      "The change was withdrawn, a newer link replaced it, or the password of the account was changed since.",
    expired: "The link worked for 24 hours. Please ask for a new one on your account's screen.",
    taken:
      "Another account has it by now, or the server's settings protect it or your present one. Your address was not changed.",
    unknown: "It is incomplete, or too old to be known. Please open the whole link.",
    throttled: "Please wait 15 minutes, and then open your link again.",
    toAccount: "To my account",
  },
} as const;
