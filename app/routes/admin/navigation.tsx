import { Form, NavLink } from "@remix-run/react";
import {
  History,
  Inbox,
  KeyRound,
  LayoutDashboard,
  LogOut,
  MonitorSmartphone,
  ShieldQuestion,
  Users,
  type LucideIcon,
} from "lucide-react";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";

export interface Entry {
  to: string;
  name: string;
  icon: LucideIcon;
  /** How much waits there for a person; none is not shown. */
  waiting?: number;
  /** Ours stand below the specification's, under a rule. */
  isOurs?: boolean;
}

/** What this person can open, in the specification's order. */
export function entriesFor(has: {
  role: string;
  passwordIsTemporary: boolean;
  mail: string;
  quarantined: number;
}): Entry[] {
  const password: Entry = { to: paths.passwordReset, name: "Reset Password", icon: KeyRound };
  if (has.passwordIsTemporary) return [password];
  const entries: Entry[] = [{ to: paths.dashboard, name: "Dashboard", icon: LayoutDashboard }];
  if (has.role === "superadmin")
    entries.push({ to: paths.users, name: operatorMessages.users.title, icon: Users });
  entries.push(password);
  entries.push({
    ...{ to: paths.quarantine, name: "Quarantine", icon: ShieldQuestion, isOurs: true },
    waiting: has.quarantined,
  });
  if (has.mail === "outbox")
    entries.push({ to: paths.outbox, name: "Mail outbox", icon: Inbox, isOurs: true });
  entries.push({ to: paths.activity, name: "Activity", icon: History, isOurs: true });
  entries.push({ to: paths.sessions, name: "My sessions", icon: MonitorSmartphone, isOurs: true });
  return entries;
}

/** One line of the rail. */
export const ITEM = [
  "group/item relative flex h-9 w-full items-center gap-3 rounded-md px-3 text-left text-sm transition-colors pointer-coarse:h-11",
  "text-muted-foreground hover:bg-muted hover:text-foreground",
  "narrow:justify-center narrow:px-0",
];

/** The entries, in the rail and in the small screens' menu. A narrow rail shows icons and names them. */
export function Navigation({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav aria-label="Back office">
      <ul className="flex flex-col gap-0.5">
        {entries.map(({ to, name, icon: Icon, isOurs, waiting = 0 }, index) => (
          <li key={to} className={cn(isOurs && !entries[index - 1]?.isOurs && "mt-3 border-t pt-3")}>
            <NavLink
              to={to}
              prefetch="intent"
              className={({ isActive }) =>
                cn(
                  ITEM,
                  isActive &&
                    "bg-primary-surface font-medium text-primary before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-sm before:bg-primary hover:bg-primary-surface hover:text-primary",
                )
              }
            >
              <Icon aria-hidden className="size-4 shrink-0 narrow:size-5" />
              <ItemName>{name}</ItemName>
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
      <button type="submit" className={cn(ITEM)}>
        <LogOut aria-hidden className="size-4 shrink-0 narrow:size-5" />
        <ItemName>Logout</ItemName>
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

/** In a narrow rail the name stands beside its icon on hover and focus. */
function ItemName({ children }: { children: string }) {
  return (
    <span
      className={cn(
        "narrow:pointer-events-none narrow:absolute narrow:left-full narrow:ml-2 narrow:rounded-md",
        "narrow:bg-foreground narrow:px-2 narrow:py-1 narrow:text-xs narrow:whitespace-nowrap",
        "narrow:text-background narrow:opacity-0 narrow:transition-opacity",
        "narrow:group-hover/item:opacity-100 narrow:group-focus-visible/item:opacity-100",
      )}
    >
      {children}
    </span>
  );
}
