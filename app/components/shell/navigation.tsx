import {
  BellDot,
  BellRing,
  CircleUser,
  CopyCheck,
  Gauge,
  History,
  Inbox,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  MailCheck,
  LayoutTemplate,
  MailQuestion,
  ClipboardCheck,
  Contact,
  MailX,
  MonitorSmartphone,
  ScrollText,
  Send,
  ShieldCheck,
  ShieldQuestion,
  Table2,
  Users,
  type LucideIcon,
} from "lucide-react";
import type { Appearance } from "~/http/appearance-cookie.server";
import { paths } from "~/paths";

export interface Entry {
  to: string;
  name: string;
  icon: LucideIcon;
  /** Number of items that need an operator; 0 is not shown. */
  waiting?: number;
  /** True for screens beyond the specification, which are listed below a rule. */
  isOurs?: boolean;
  /** Opens it after a g: g d the dashboard. Unique among the entries. */
  letter: string;
  /** Further search words, such as the actions of the screen. */
  also?: string;
  actions?: readonly { name: string; also?: string; to?: string }[];
}

/** The layout's data that some screens share. */
export interface LayoutData {
  entries: readonly Entry[];
  shortcuts: Appearance["shortcuts"];
}

/** The screens of the specification, in its order. */
const SPECIFIED: readonly Entry[] = [
  {
    to: paths.dashboard,
    name: "Dashboard",
    icon: LayoutDashboard,
    letter: "d",
    also: "home overview numbers signups",
    actions: [
      { to: paths.outreachPanel, name: "Write a campaign", also: "email outreach newsletter" },
      { to: paths.funnel, name: "Funnel", also: "visits signups confirmed invited joined conversion rate" },
      { to: paths.sources, name: "Sources", also: "visits utm referrer rate came from" },
    ],
  },
  {
    to: paths.users,
    name: "User Management",
    icon: Users,
    letter: "u",
    also: "accounts people",
    actions: [
      { name: "Add a user", also: "invite new account" },
      { name: "Reissue a temporary password", also: "lost forgotten" },
      { name: "Remove a user", also: "delete account" },
    ],
  },
  {
    to: paths.notifications,
    name: "Send Notifications",
    icon: BellRing,
    letter: "n",
    also: "push broadcast devices",
    actions: [{ name: "Send a push notification", also: "broadcast" }],
  },
  {
    to: paths.logs,
    name: "Logs",
    icon: ScrollText,
    letter: "l",
    also: "errors warnings requests server output tail",
    actions: [{ name: "Delete All Logs" }],
  },
  {
    to: paths.resources,
    name: "Server Resources",
    icon: Gauge,
    letter: "r",
    also: "system monitor cpu memory disk redis meetings health incidents",
  },
  {
    to: paths.passwordReset,
    name: "Reset Password",
    icon: KeyRound,
    letter: "p",
    also: "change",
  },
];

/** Screens beyond the specification. */
const OWN: readonly Entry[] = [
  {
    to: paths.submissions,
    name: "Submissions",
    icon: Table2,
    letter: "i",
    also: "signups people tables early access contact updates export",
  },
  {
    to: paths.people,
    name: "People",
    icon: Contact,
    letter: "h",
    also: "humans persons companies domains addresses contacts import csv",
  },
  {
    to: paths.openInquiries,
    name: "Inquiries",
    icon: MailQuestion,
    letter: "w",
    also: "contact messages questions answer reply open",
  },
  {
    to: paths.campaigns,
    name: "Campaigns",
    icon: Send,
    letter: "m",
    also: "emails mails outreach drafts history",
  },
  {
    to: paths.templates,
    name: "Templates",
    icon: LayoutTemplate,
    letter: "z",
    also: "campaigns emails boilerplate text default reuse",
    actions: [{ to: paths.newTemplate, name: "Write a template", also: "new campaign text" }],
  },
  {
    to: paths.automatic,
    name: "Automatic emails",
    icon: MailCheck,
    letter: "v",
    also: "thank-you welcome receipt autoresponder confirm signup",
    actions: [{ name: "Turn an automatic email on or off", also: "thank you welcome receipt" }],
  },
  {
    to: paths.quarantine,
    name: "Quarantine",
    icon: ShieldQuestion,
    letter: "q",
    also: "spam bots",
    actions: [{ name: "Release or purge submissions", also: "delete" }],
  },
  {
    to: paths.suppressions,
    name: "Suppressions",
    icon: MailX,
    letter: "x",
    also: "unsubscribed bounces",
    actions: [{ name: "Suppress addresses", also: "import" }],
  },
  {
    to: paths.mirrors,
    name: "Mirrors",
    icon: CopyCheck,
    letter: "c",
    also: "spreadsheet google sheets copy repair drift",
    actions: [{ name: "Repair a copy", also: "mirror spreadsheet" }],
  },
  { to: paths.outbox, name: "Email outbox", icon: Inbox, letter: "o", also: "emails" },
  {
    to: paths.activity,
    name: "Activity",
    icon: History,
    letter: "a",
    also: "audit history",
    actions: [{ name: "Download the activity", also: "export csv" }],
  },
  {
    to: paths.account,
    name: "My account",
    icon: CircleUser,
    letter: "y",
    also: "profile settings personal",
    actions: [
      { name: "Change your name", also: "rename" },
      { name: "Change your email address", also: "login" },
      { to: paths.ownTimeZone, name: "Choose a time zone", also: "clock utc local" },
    ],
  },
  {
    to: paths.alerts,
    name: "Alerts",
    icon: BellDot,
    letter: "b",
    also: "told emails notices daily summary inquiries incidents",
    actions: [{ name: "Choose what you are told about", also: "at once daily off" }],
  },
  {
    to: paths.sessions,
    name: "My sessions",
    icon: MonitorSmartphone,
    letter: "s",
    also: "devices browsers",
    actions: [{ name: "End other sessions", also: "log out" }],
  },
  {
    to: paths.secondFactor,
    name: "Two-factor login",
    icon: ShieldCheck,
    letter: "f",
    also: "2fa totp authenticator recovery codes",
  },
  {
    to: paths.tokens,
    name: "API tokens",
    icon: KeySquare,
    letter: "t",
    also: "keys programs",
    actions: [{ name: "Create an API token", also: "key" }],
  },
  {
    to: paths.setup,
    name: "Setup",
    icon: ClipboardCheck,
    letter: "e",
    also: "first steps checklist check deploy going live settings backup",
    actions: [{ name: "Send a test email to me", also: "mail server smtp" }],
  },
];

const ENTRIES = SPECIFIED.concat(OWN.map((entry) => ({ ...entry, isOurs: true })));

type EntriesOptions = {
  role: string;
  /** The page to complete before the rest opens: an own password, then the second factor. */
  setupPage: string | undefined;
  mailer: string;
  mirrors: readonly string[];
  waiting?: Readonly<Record<string, number>>;
};

/** Lists the screens this person can open, for the sidebar, the shortcuts and the search. */
export function getEntries({ role, setupPage, mailer, mirrors, waiting }: EntriesOptions): Entry[] {
  // The password can be changed meanwhile: that page needs no second factor.
  if (setupPage) return ENTRIES.filter(({ to }) => to === paths.passwordReset || to === setupPage);
  const missing: Readonly<Record<string, boolean>> = {
    [paths.users]: role !== "superadmin",
    [paths.setup]: role !== "superadmin",
    [paths.mirrors]: mirrors.length === 0,
    [paths.outbox]: mailer !== "outbox",
  };
  return ENTRIES.filter(({ to }) => !missing[to]).map((entry) => ({
    ...entry,
    waiting: waiting?.[entry.to] ?? 0,
  }));
}
