import { Form, NavLink } from "@remix-run/react";
import {
  BellRing,
  CopyCheck,
  Gauge,
  History,
  Inbox,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  LogOut,
  MailX,
  MonitorSmartphone,
  ScrollText,
  Send,
  ShieldCheck,
  ShieldQuestion,
  Table2,
  Users,
  type LucideIcon,
} from "~/components/icons";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

export interface Entry {
  to: string;
  name: string;
  icon: LucideIcon;
  /** How much waits there for a person; none is not shown. */
  waiting?: number;
  /** Ours stand below the specification's, under a rule. */
  isOurs?: boolean;
  /** Opens it after a g: g d the dashboard. No two are the same. */
  letter?: string;
  /** Other words people look for it by, as for what can be done there. */
  also?: string;
  deeds?: readonly { name: string; also?: string; to?: string }[];
}

/** What this person can open, in the specification's order: the rail, the shortcuts and the search are made of it. */
export function entriesFor(has: {
  role: string;
  passwordIsTemporary: boolean;
  /** The page that must come before all others, if there is one. */
  firstPage: string | undefined;
  mail: string;
  quarantined: number;
  /** Where submissions are copied to. */
  mirrors: readonly string[];
  /** Rows of copies that wait for a person. */
  undecidedCopies: number;
}): Entry[] {
  const password: Entry = {
    to: paths.passwordReset,
    name: "Reset Password",
    icon: KeyRound,
    letter: "p",
    also: "change",
  };
  const secondFactor: Entry = {
    to: paths.secondFactor,
    name: operatorMessages.secondFactor.title,
    icon: ShieldCheck,
    isOurs: true,
    letter: "f",
    also: "2fa totp authenticator recovery codes",
  };
  if (has.passwordIsTemporary) return [password];
  if (has.firstPage) return [password, secondFactor];
  const outreach = { to: paths.outreach, name: "Write to a group", also: "email outreach newsletter" };
  const entries: Entry[] = [
    {
      to: paths.dashboard,
      name: "Dashboard",
      icon: LayoutDashboard,
      letter: "d",
      also: "home overview numbers signups",
      deeds: [outreach],
    },
  ];
  if (has.role === "superadmin")
    entries.push({
      to: paths.users,
      name: operatorMessages.users.title,
      icon: Users,
      letter: "u",
      also: "accounts people",
      deeds: [
        { name: "Add a user", also: "invite new account" },
        { name: "Reissue a temporary password", also: "lost forgotten" },
        { name: "Remove a user", also: "delete account" },
      ],
    });
  entries.push({
    to: paths.notifications,
    name: operatorMessages.notifications.menu,
    icon: BellRing,
    letter: "n",
    also: "push broadcast devices",
    deeds: [{ name: "Send a push notification", also: "broadcast" }],
  });
  entries.push({
    to: paths.logs,
    name: operatorMessages.logs.menu,
    icon: ScrollText,
    letter: "l",
    also: operatorMessages.logs.also,
    deeds: [{ name: operatorMessages.logs.deleteAll }],
  });
  entries.push({
    to: paths.resources,
    name: operatorMessages.resources.entry,
    icon: Gauge,
    letter: "r",
    also: "system monitor cpu memory disk redis meetings health incidents",
  });
  entries.push(password);
  entries.push({
    to: paths.submissions,
    name: operatorMessages.submissions.title,
    icon: Table2,
    isOurs: true,
    letter: "i",
    also: "signups people tables early access contact updates export",
  });
  entries.push({
    to: paths.campaigns,
    name: operatorMessages.sends.title,
    icon: Send,
    isOurs: true,
    letter: "m",
    also: "mails outreach drafts history",
  });
  entries.push({
    to: paths.quarantine,
    name: "Quarantine",
    icon: ShieldQuestion,
    isOurs: true,
    letter: "q",
    also: "spam bots",
    deeds: [{ name: "Release or purge submissions", also: "delete" }],
    waiting: has.quarantined,
  });
  entries.push({
    to: paths.suppressions,
    name: operatorMessages.suppressions.title,
    icon: MailX,
    isOurs: true,
    letter: "x",
    also: "unsubscribed bounces",
    deeds: [{ name: "Suppress addresses", also: "import" }],
  });
  if (has.mirrors.length > 0)
    entries.push({
      to: paths.mirrors,
      name: operatorMessages.mirrors.title,
      icon: CopyCheck,
      isOurs: true,
      letter: "c",
      also: operatorMessages.mirrors.also,
      waiting: has.undecidedCopies,
      deeds: [{ name: "Repair a copy", also: "mirror spreadsheet" }],
    });
  if (has.mail === "outbox")
    entries.push({
      to: paths.outbox,
      name: "Email outbox",
      icon: Inbox,
      isOurs: true,
      letter: "o",
      also: "emails",
    });
  entries.push({
    to: paths.activity,
    name: "Activity",
    icon: History,
    isOurs: true,
    letter: "a",
    also: "audit history",
    deeds: [{ name: "Download the activity", also: "export csv" }],
  });
  entries.push({
    to: paths.sessions,
    name: "My sessions",
    icon: MonitorSmartphone,
    isOurs: true,
    letter: "s",
    also: "devices browsers",
    deeds: [{ name: "End other sessions", also: "log out" }],
  });
  entries.push(secondFactor);
  entries.push({
    to: paths.tokens,
    name: operatorMessages.tokens.title,
    icon: KeySquare,
    isOurs: true,
    letter: "t",
    also: "keys programs",
    deeds: [{ name: "Create an API token", also: "key" }],
  });
  return entries;
}

/** The entries. A narrow rail shows icons and names them. */
export function Navigation({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav aria-label="Back office">
      <ul className="flex flex-col gap-0.5">
        {entries.map(({ to, name, icon: Icon, isOurs, waiting = 0 }, index) => (
          <li key={to} className={cn(isOurs && !entries[index - 1]?.isOurs && "mt-3 border-t pt-3")}>
            <NavLink to={to} prefetch="intent" className="rail-item group/item">
              <Icon aria-hidden />
              <span className="rail-name">{name}</span>
              {waiting > 0 ? <Waiting count={waiting} /> : null}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A POST: nothing changes on GET. */
export function LogoutButton() {
  return (
    <Form method="post" action={paths.logout}>
      <button type="submit" className="rail-item">
        <LogOut aria-hidden />
        <span className="rail-name">{operatorMessages.shell.logout}</span>
      </button>
    </Form>
  );
}

/** At the end of its entry; in a narrow rail on the icon's shoulder. */
function Waiting({ count }: { count: number }) {
  return (
    <span
      className={cn(
        "ml-auto rounded-sm bg-muted px-1.5 text-2xs text-muted-foreground tabular-nums group-hover/item:bg-surface",
        "group-aria-[current=page]/item:bg-surface group-aria-[current=page]/item:text-primary",
        "narrow:absolute narrow:-top-0.5 narrow:-right-1 narrow:px-1",
      )}
    >
      {count > 999 ? "999+" : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
