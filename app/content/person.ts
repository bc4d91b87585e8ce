import { formatCount, grouped } from "~/lib/format-number";
import { submissions } from "./submissions";

/** Texts of the page of one person. */
export const personMessages = {
  newestForms: (shown: number) =>
    `The newest ${grouped(shown)} are shown. The download includes all of them.`,
  formStates: {
    quarantined: "In quarantine",
    unconfirmed: "Waiting for confirmation",
    deleted: "Deleted, can be restored",
  },
  emailsShown: (shown: number, total: number) =>
    shown < total
      ? `The newest ${grouped(shown)} of ${grouped(total)}. The download includes all of them.`
      : `${formatCount(total, "email")} of campaigns`,
  outbox: (count: number) =>
    `${formatCount(count, "email")} to this address ${count === 1 ? "is" : "are"} kept in the outbox.`,
  reportKinds: { bounce: "Bounced", complaint: "Complained" },
  lost: (forms: number, isMore: boolean) =>
    `${isMore ? `More than ${submissions(forms)}` : submissions(forms)} and their consent records will be erased permanently. This cannot be undone.`,
  lostEmails: (emails: number) =>
    emails === 0
      ? "No email was sent to them."
      : `Their name and address are erased from ${formatCount(emails, "delivery", "deliveries")} of campaigns. The deliveries stay in the totals; those not sent yet count as skipped.`,
  /** What happens to the person's rows in a mirror. */
  copies: {
    emptied: "Their rows in the mirror are cleared as soon as it can be written. Its version history stays.",
    listed: "Their rows in the mirror stay until somebody removes them there. Mirrors lists them.",
  },
} as const;
