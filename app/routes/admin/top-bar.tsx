import { Link, useLocation } from "@remix-run/react";
import { Menu, Search, X } from "lucide-react";
import { Logo } from "~/components/logo";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { buttonVariants } from "~/components/ui/button";
import { shellMessages } from "~/content/shell";
import type { Appearance } from "~/http/appearance-cookie.server";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { ThemeChoice } from "./appearance-controls";

type TopBarProps = {
  person: Person;
  theme: Appearance["theme"];
  /** Undefined for those who cannot search. */
  onSearch: (() => void) | undefined;
};

export function TopBar({ person, theme, onSearch }: TopBarProps) {
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
      {/* Opens the rail on small screens. The key changes with the location, which closes it after a navigation. */}
      <details key={key} data-menu className={cn("group md:hidden", !onSearch && "ml-auto")}>
        <summary className={cn(buttonVariants({ variant: "ghost", size: "default" }), "-mr-2 px-2")}>
          <Menu aria-hidden className="group-open:hidden" />
          <X aria-hidden className="not-group-open:hidden" />
          Menu
        </summary>
      </details>
    </header>
  );
}

/** A link to the search page; with JavaScript a plain press opens the search over the current page. */
function SearchLink({ onSearch }: { onSearch: () => void }) {
  return (
    <ButtonLink
      to={paths.search}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onSearch();
      }}
      className="ml-auto text-muted-foreground max-sm:size-9 max-sm:px-0 md:h-8 max-sm:pointer-coarse:size-11 md:pointer-coarse:h-11"
    >
      <Search aria-hidden />
      <span className="max-sm:sr-only">{shellMessages.search.title}</span>
      <kbd aria-hidden className="ml-1 font-mono text-2xs max-lg:hidden">
        Ctrl K
      </kbd>
    </ButtonLink>
  );
}

type Person = Pick<SignedIn, "email" | "fullName" | "role"> & { firstPage: string | undefined };

/** The signed-in account: in the top bar, and on small screens above the menu. */
export function PersonLine({ person, className }: { person: Person; className: string }) {
  return (
    <p className={cn("min-w-0 items-center gap-2 text-xs text-muted-foreground", className)}>
      <span className="sr-only">Signed in as </span>
      {person.firstPage ? (
        <bdi title={person.email} className="max-w-64 truncate">
          {person.fullName || person.email}
        </bdi>
      ) : (
        <Link
          to={paths.sessions}
          title={`${person.email}: my sessions`}
          className="quiet-link max-w-64 truncate"
        >
          <bdi>{person.fullName || person.email}</bdi>
        </Link>
      )}
      <Badge variant="secondary">{person.role}</Badge>
    </p>
  );
}
