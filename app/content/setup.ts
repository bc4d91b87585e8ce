import { decimal, formatCount, grouped } from "~/lib/format-number";
import type { SetupResult } from "~/services/setup/setup-check";
import type { SetupProgress, StepName, StepState } from "~/services/setup/setup-steps";
import type { TestEmailOutcome } from "~/services/setup/setup-test-email.server";

interface StepWords {
  readonly title: string;
  readonly why: string;
  /** The page in the source that says more, and its heading. */
  readonly docs: readonly [page: string, heading: string];
}

const OPERATIONS = "docs/operations.md";

const steps: Readonly<Record<StepName, StepWords>> = {
  address: {
    title: "Your own address",
    why: "Links in emails, logins and notifications work only at the address by which people reach you.",
    docs: [OPERATIONS, "Before going live"],
  },
  brand: {
    title: "Your brand and links",
    why: "Until then visitors see the example's name, links and contact address as if they were yours.",
    docs: [OPERATIONS, "Before going live"],
  },
  "mail-server": {
    title: "A mail server",
    why: "Without one every email is stored on this server and reaches nobody.",
    docs: [OPERATIONS, "Email"],
  },
  sender: {
    title: "Sender of the emails",
    why: "Mail providers reject emails, or mark them as spam, whose sender they cannot verify.",
    docs: [OPERATIONS, "Email"],
  },
  "test-email": {
    title: "A test email",
    why: "Only the mail server's own answer shows that it accepts your emails.",
    docs: [OPERATIONS, "Email"],
  },
  privacy: {
    title: "Privacy policy and imprint",
    why: "The forms collect names and addresses, which many countries allow only with a privacy policy.",
    docs: [OPERATIONS, "Before going live"],
  },
  backup: {
    title: "A backup",
    why: "All signups are on one disk, and only a backup elsewhere survives its loss.",
    docs: [OPERATIONS, "Backups"],
  },
  signup: {
    title: "A test signup",
    why: "It shows that visitors can sign up, and what you see of them.",
    docs: ["docs/forms.md", "Forms"],
  },
  colleague: {
    title: "A colleague",
    why: "A colleague helps when you are away, and a second superadmin when you lose your password.",
    docs: [OPERATIONS, "Users and passwords"],
  },
  login: {
    title: "Two-factor login",
    why: "A superadmin can read and delete everything, so a password alone should not open that account.",
    docs: [OPERATIONS, "Two-factor login"],
  },
  server: {
    title: "The server itself",
    why: "Secrets, database, disk and the installed program decide whether it stays up and stays yours.",
    docs: [OPERATIONS, "Before going live"],
  },
};

const outcomes: Readonly<Record<TestEmailOutcome, string>> = {
  accepted: "Accepted",
  deferred: "Refused for now",
  refused: "Refused",
  unauthorized: "Login refused",
  unreachable: "Not reached",
  unknown: "No answer",
  stored: "Stored in the outbox",
  suppressed: "Not sent",
};

export const setupMessages = {
  title: "Setup",
  progress: ({ done, total }: SetupProgress) => `${done} of ${total} done`,
  next: (name: StepName) => `Next: ${steps[name].title}`,
  complete: "Everything is set up.",
  progressLabel: "Progress of the setup",
  steps,
  states: { done: "Done", open: "To do", unproven: "Not tried yet" } satisfies Record<StepState, string>,
  results: {
    ok: "OK",
    error: "Must change",
    warning: "Advice",
    "not applicable": "Not needed",
  } satisfies Record<SetupResult["state"], string>,
  set: "Set",
  copy: (name: string) => `Copy ${name}`,
  more: "More in",
  notMade: (count: number) =>
    `${formatCount(count, "check")} of other systems and of this machine ${count === 1 ? "was" : "were"} not made yet with these settings.`,
  check: "Check now",
  checking: "Checking...",
  /** Followed by a relative time. */
  lastCheck: "Other systems and this machine were checked",
  notChecked: "Other systems and this machine were not checked yet.",
  fine: (count: number) => `${formatCount(count, "check")} without a problem`,
  notes: {
    title: "How this works",
    settings:
      "Settings are environment variables, or lines of the file .env. The server reads them when it starts, so restart it after a change.",
    proof: "A step is done when it was tried, not when a setting is filled in.",
    command: "The same checks run in a terminal, and in a deployment:",
    checkCommand: "npm run check:deploy",
  },
  card: {
    dismiss: "Hide",
    dismissLabel: "Hide the setup card",
    open: "Continue setup",
    dismissed: "The card on the dashboard is hidden.",
    shown: "A card on the dashboard leads here until everything is done.",
    restore: "Show it again",
  },
  allowance: {
    none: "No daily limit of emails is set. MAIL_PER_DAY sets one.",
    left: (remaining: number, limit: number) =>
      `${grouped(remaining)} of today's ${grouped(limit)} emails are left.`,
    keptFree: (count: number) =>
      `Campaigns keep ${grouped(count)} emails a day free for confirmations, replies and automatic emails.`,
    resets: (time: string) => `The count starts again at ${time}.`,
  },
  testEmail: {
    send: "Send a test email to me",
    sending: "Sending...",
    to: (address: string) => `It goes to ${address}, through the same queue as every other email.`,
    outbox:
      "With MAIL_DRIVER=outbox the email is stored on this server. It proves nothing until a mail server is set.",
    outcomes,
    /** Followed by a relative time. */
    tried: "Tried",
    took: (ms: number) => `took ${decimal(ms / 1000)} s`,
    answer: "The mail server's answer",
    detail: "Details",
    suppressed: (reason: string) =>
      `Your address is on the suppression list (${reason}). Release it there, then try again.`,
    suppressions: "Open Suppressions",
    old: "It was tried with other settings than those in use, so it proves nothing now.",
  },
  backup: {
    command: "npm run backup -- /mnt/backups",
    /** Before and after a relative time; then the folder. */
    found: "The newest backup was taken",
    into: "into",
    none: "No backup was found. This command takes one while the server runs:",
  },
  signup: {
    how: (address: string) =>
      `Sign up on your page as a visitor does, with your own address, ${address}: it is then shown here and can be removed again.`,
    open: "Open the form",
    own: "From your address",
    states: {
      accepted: "Accepted",
      unconfirmed: "Waits for the link in the email",
      quarantined: "In quarantine",
      deleted: "Deleted",
    },
    kinds: {
      "early-access": "Early access",
      "contact-form": "Contact",
      "updates-signup": "Updates",
    },
    remove: (count: number) => `Remove ${formatCount(count, "test signup")}`,
    count: (count: number) => `${formatCount(count, "submission")} arrived.`,
  },
  colleague: {
    count: (count: number) => `${formatCount(count, "account")}.`,
    open: "Open User Management",
  },
  login: { open: "Open Two-factor login" },
  email: {
    title: (brandName: string) => `Test email of ${brandName}`,
    paragraphs: [
      "This email was sent from the setup screen. It arrived, so the mail server accepts emails and delivers them to you.",
      "Look at its headers too: Authentication-Results should say pass for spf, dkim and dmarc.",
    ],
    footer: "You get this because you pressed “Send a test email to me”.",
  },
} as const;
