export const invitationMessages = {
  /** On the Users screen. */
  title: "Invite a colleague",
  note: "They choose their own password. The link works once, within 72 hours, and makes them an admin.",
  email: "Colleague's address",
  fullName: "Colleague's name",
  isEmailed: "Also send the link by email",
  isEmailedHint: "Without it, you hand over the link yourself.",
  invite: "Invite",
  inviting: "Inviting...",
  notInvited: "Nobody was invited",
  failed: "The invitation could not be created. Please try again.",
  failedAdvice: "What you typed is still here.",
  refusals: {
    "email-taken": "There is already an account for this address.",
    invited: "This address has a pending invitation. Create a new link for it below, or revoke it.",
    "too-many": "There are 100 pending invitations. Revoke those that are not needed first.",
  },
  issued: (name: string, email: string) => `Invitation for ${name} (${email})`,
  issuedUntil: "Valid until",
  issuedAdvice: "Whoever has this link can use it. It is not stored and will not be shown again.",
  listTitle: "Invitations",
  columns: { who: "Invited", state: "Status", email: "Email", actions: "Actions" },
  waits: "waiting, expires",
  expired: "expired",
  by: "by",
  renew: "New link",
  revoke: "Revoke",
  questions: {
    renew: {
      title: "Create a new link?",
      text: ["The link they have stops working at once. The new one is shown once, and works for 72 hours."],
      yes: "Create new link",
      no: "Keep the old link",
    },
    revoke: {
      title: "Revoke this invitation?",
      text: ["Its link stops working at once. You can invite this address again."],
      yes: "Revoke invitation",
      no: "Keep it",
    },
  },

  /** On the page that a link leads to. */
  page: {
    titles: {
      open: "Choose your password",
      used: "This invitation was used",
      revoked: "This invitation does not work any more",
      expired: "This invitation has expired",
      unknown: "This link does not work",
      throttled: "Too many attempts",
    },
    open: (brandName: string) =>
      `You are invited to the back office of ${brandName}. Choose a password; you then log in with it.`,
    email: "Your email address",
    password: "Password",
    confirm: "Password, once more",
    accept: "Create my account",
    refused: "Your account was not created yet",
    missing: "Please choose a password.",
    confirmMissing: "Please enter the password a second time.",
    used: "This link works once, and there is an account for its address now. If that is yours, log in with the password you chose.",
    revoked:
      "It was revoked, or a newer link replaced it. Please use the newest one, or ask whoever invited you.",
    expired: "The link worked for 72 hours. Please ask whoever invited you for a new one.",
    unknown:
      "It is incomplete, or too old to be known. Please open the whole link, or ask whoever invited you.",
    throttled: "Please wait 15 minutes, and then open your link again.",
    login: "Log in",
  },
} as const;
