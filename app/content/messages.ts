/**
 * The visitors' message catalogue: the sentences the specification fixes (sections 2 and 8), word for word,
 * and the product's own. Services return codes; these are the sentences for them. The operators' messages and those of
 * unsubscribing are in files of their own, so that no first visit downloads them.
 */
export const messages = {
  login: {
    invalid: "Invalid email or password",
    serviceFailed: "Login failed. Please try again.",
    unexpected: "Login failed. Please try again later.",
    success: "Login successful!",
    help: "If you need access, please contact an administrator.",
  },
  access: {
    unauthorized: "Unauthorized",
    deniedTitle: "Access Denied",
    denied: "You don't have permission to access this page.",
    returnHome: "Return to Home",
  },
  renderFailed: "Something went wrong.Kindly reload the page",
  /** Where no answer of the server came. */
  connection: {
    /** @param since a time of day, "10:42" */
    lost: (since: string) => `Not updated since ${since}. Trying again.`,
    pageStays: "The server could not be reached, so this page stays. Please try again.",
    /** Not that nothing was changed: the answer may have been lost on its way back. */
    unreached: "The server could not be reached. Nothing on this page was lost: please try again.",
  },
  signup: {
    /** Above the errors of single fields. */
    incomplete: "Nothing was sent yet.",
    earlyAccess: {
      success: "Successfully registered! Thank you.",
      failure: "Something went wrong. Please try again.",
    },
    /** Shown to everybody, so that it reveals no address's status. */
    unsubscribedBefore: "If you unsubscribed before, please confirm with the link we email you.",
    updates: {
      success: "Thanks for signing up! You'll hear from us soon.",
      failure: "Something went wrong. Please try again.",
      /** The same for every address, so that it does not reveal which ones are known. */
      confirm:
        "If your address is new to us, an email with a link is on its way. Please open the link to confirm.",
    },
    contact: {
      success: "Thank you for your message! We'll get back to you soon.",
      failure: "Something went wrong. Please try again or email us directly.",
    },
  },
  confirmUpdates: {
    titles: {
      open: "Confirm your address",
      confirmed: "Your address is confirmed",
      expired: "This link has expired",
      "link-sent": "Check your inbox",
      unknown: "This link does not work",
    },
    /** By what the link confirms. */
    questions: {
      "updates-signup": (brandName: string) =>
        `You will get emails with news from ${brandName}. Each has a link to unsubscribe.`,
      "early-access": (brandName: string) =>
        `You will be on the list for early access to ${brandName}. Every email about it has a link to unsubscribe.`,
      address: (brandName: string) =>
        `You signed up at ${brandName} with this address. Please confirm that it is yours.`,
    },
    button: "Confirm",
    confirmed: "Thank you. You will hear from us when there is news.",
    confirmedSubjects: {
      "updates-signup": "Thank you. You will hear from us when there is news.",
      "early-access": "Thank you. You are on the list, and we write when your team’s turn comes.",
      address: "Thank you. We know now that our emails reach you.",
    },
    confirmedBefore: "You have already confirmed. There is nothing more to do.",
    expired: "A link works for 48 hours. A new one can be sent to the same address.",
    newLink: "Send a new link",
    newLinkSent: "A new link is on its way. It works for 48 hours.",
    linkSentLately: (minutes: number) =>
      `A link was sent to this address less than an hour ago. Please check your inbox and spam folder, or try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    unknownLink:
      "This link is incomplete or no longer valid. Please open the whole link from the newest email, or sign up again.",
  },
  /** Links of invitations from the waiting list. */
  invite: {
    titles: {
      test: "A link of a test email",
      unknown: "This link does not work",
      revoked: "This link is no longer valid",
      expired: "Your invitation has expired",
      asked: "We got your request",
      joined: "You have joined already",
    },
    test: "In the real email, each person has a link of their own here, which leads to the sign-up page.",
    unknown: "This link is incomplete or no longer valid. Please open the whole link from the email.",
    revoked: "This invitation was ended or replaced. Please open the link in the newest email.",
    expired: "The link worked for some time only. You can ask for a new one.",
    ask: "Ask for a new one",
    asked: "Somebody of the team will look at it. If you are invited again, you get an email.",
    joined: (brandName: string) =>
      `An account was made with this invitation. Please log in to ${brandName} with it.`,
    throttled: (minutes: number) =>
      `Too many requests came from your network. Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
  },
  toLanding: "To the home page",
} as const;
