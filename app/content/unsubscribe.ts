/** The page to which the unsubscribe link of an email leads. */
export const unsubscribeMessages = {
  title: "Leave the mailing list",
  question: (brandName: string) =>
    `You will get no more emails from ${brandName}. You can sign up again at any time: we then email you a link to confirm it.`,
  button: "Unsubscribe",
  doneTitle: "You are unsubscribed",
  done: (brandName: string) =>
    `This address will get no more emails from ${brandName}. To get them again, sign up once more and confirm with the link we email you.`,
  unknownLink:
    "This link is incomplete. Please open the whole link from the email, or reply to the email and tell us.",
  unknownEmail:
    "You are not unsubscribed: the email that this link belongs to is not known here any more. Please reply to the email and tell us.",
} as const;
