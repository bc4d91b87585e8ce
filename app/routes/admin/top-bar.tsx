import { Link, useLocation } from "@remix-run/react";
import { Menu, Search, X } from "lucide-react";
import { Logo } from "~/components/logo";
import { Badge } from "~/components/ui/badge";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { Appearance } from "~/appearance";
import { ThemeChoice } from "./appearance-controls";
import { LogoutButton, Navigation, type Entry } from "./navigation";

interface Person {
  email: string;
  fullName: string;
  role: string;
  firstPage?: string | undefined;
}

type TopBarProps = {
  person: Person;
  entries: readonly Entry[];
  theme: Appearance["theme"];
  /** Left out for who cannot search. */
  onSearch: (() => void) | undefined;
};

export function TopBar({ person, entries, theme, onSearch }: TopBarProps) {
  const { key } = useLocation();
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-3 border-b bg-background px-4 lg:px-6">
      <Link to={paths.dashboard} className="flex items-center gap-2 rounded-sm">
        <Logo />
        <span className="text-sm text-muted-foreground">back office</span>
      </Link>
      {onSearch ? <SearchLink onSearch={onSearch} /> : null}
      <PersonLine person={person} className={cn("hidden md:flex", !onSearch && "ml-auto")} />
      <ThemeChoice theme={theme} className="hidden md:block" />
      {/* A new key closes the menu when it has led to another page. */}
      <details key={key} className={cn("group md:hidden", !onSearch && "ml-auto")}>
        <summary className={cn(buttonVariants({ variant: "quiet", size: "dense" }), "-mr-2 px-2")}>
          <Menu aria-hidden className="group-open:hidden" />
          <X aria-hidden className="not-group-open:hidden" />
          Menu
        </summary>
        <div className="absolute inset-x-0 top-full flex max-h-[calc(100dvh-3rem)] flex-col gap-3 overflow-y-auto border-b bg-surface p-3 shadow-float">
          <PersonLine person={person} className="px-3 pt-1" />
          <Navigation entries={entries} />
          <div className="flex items-center justify-between gap-3 border-t pt-3">
            <LogoutButton />
            <ThemeChoice theme={theme} />
          </div>
        </div>
      </details>
    </header>
  );
}

/** A link to the search page; with JavaScript a plain press opens the search over the page one is on. */
function SearchLink({ onSearch }: { onSearch: () => void }) {
  return (
    <Link
      to={paths.search}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onSearch();
      }}
      className={cn(
        buttonVariants({ variant: "secondary", size: "dense" }),
        "ml-auto text-muted-foreground max-sm:size-9 max-sm:px-0 md:h-8 max-sm:pointer-coarse:size-11",
      )}
    >
      <Search aria-hidden />
      <span className="max-sm:sr-only">{operatorMessages.shell.search.title}</span>
      <kbd aria-hidden className="ml-1 font-mono text-2xs max-lg:hidden">
        Ctrl K
      </kbd>
    </Link>
  );
}

function PersonLine({ person, className }: { person: Person; className: string }) {
  return (
    <p className={cn("flex min-w-0 items-center gap-2 text-xs text-muted-foreground", className)}>
      <span className="sr-only">Signed in as </span>
      {person.firstPage ? (
        <bdi title={person.email} className="max-w-64 truncate">
          {person.fullName || person.email}
        </bdi>
      ) : (
        <Link
          to={paths.sessions}
          title={`${person.email}: my sessions`}
          className="max-w-64 truncate rounded-sm underline-offset-4 hover:text-foreground hover:underline"
        >
          <bdi>{person.fullName || person.email}</bdi>
        </Link>
      )}
      <Badge>{person.role}</Badge>
    </p>
  );
}
