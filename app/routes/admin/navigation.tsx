import { Form, NavLink } from "@remix-run/react";
import { Inbox, KeyRound, LayoutDashboard, LogOut, Users, type LucideIcon } from "lucide-react";
import { cn } from "~/lib/class-names";
import { messages } from "~/messages";
import { paths } from "~/paths";

export interface Entry {
  to: string;
  name: string;
  icon: LucideIcon;
  /** Ours stand below the specification's, under a rule. */
  isOurs?: boolean;
}

/** What this person can open, in the specification's order. */
export function entriesFor(has: { role: string; passwordIsTemporary: boolean; mail: string }): Entry[] {
  const password: Entry = { to: paths.passwordReset, name: "Reset Password", icon: KeyRound };
  if (has.passwordIsTemporary) return [password];
  const entries: Entry[] = [{ to: paths.dashboard, name: "Dashboard", icon: LayoutDashboard }];
  if (has.role === "superadmin") entries.push({ to: paths.users, name: messages.users.title, icon: Users });
  entries.push(password);
  if (has.mail === "outbox")
    entries.push({ to: paths.outbox, name: "Mail outbox", icon: Inbox, isOurs: true });
  return entries;
}

const ITEM = [
  "group/item relative flex h-9 w-full items-center gap-3 rounded-md px-3 text-left text-sm transition-colors pointer-coarse:h-11",
  "text-muted-foreground hover:bg-muted hover:text-foreground",
  "md:max-lg:justify-center md:max-lg:px-0",
];

/** The entries, in the rail and in the small screens' menu. Between md and lg the rail shows icons and names them. */
export function Navigation({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav aria-label="Back office">
      <ul className="flex flex-col gap-0.5">
        {entries.map(({ to, name, icon: Icon, isOurs }, index) => (
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
              <Icon aria-hidden className="size-4 shrink-0 md:max-lg:size-5" />
              <ItemName>{name}</ItemName>
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
        <LogOut aria-hidden className="size-4 shrink-0 md:max-lg:size-5" />
        <ItemName>Logout</ItemName>
      </button>
    </Form>
  );
}

/** Between md and lg the name stands beside its icon on hover and focus. */
function ItemName({ children }: { children: string }) {
  return (
    <span
      className={cn(
        "md:max-lg:pointer-events-none md:max-lg:absolute md:max-lg:left-full md:max-lg:ml-2 md:max-lg:rounded-md",
        "md:max-lg:bg-foreground md:max-lg:px-2 md:max-lg:py-1 md:max-lg:text-xs md:max-lg:whitespace-nowrap",
        "md:max-lg:text-background md:max-lg:opacity-0 md:max-lg:transition-opacity",
        "md:max-lg:group-hover/item:opacity-100 md:max-lg:group-focus-visible/item:opacity-100",
      )}
    >
      {children}
    </span>
  );
}
