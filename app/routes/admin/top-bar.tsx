import { Link, useLocation } from "@remix-run/react";
import { Search } from "lucide-react";
import { useId } from "react";
import { Logo } from "~/components/logo";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { QuietLink } from "~/components/quiet-link";
import { Kbd, KbdGroup } from "~/components/ui/kbd";
import { SidebarTrigger } from "~/components/ui/sidebar";
import { Tooltip, TooltipContent, TooltipTrigger } from "~/components/ui/tooltip";
import { shellMessages } from "~/content/shell";
import type { Appearance } from "~/http/appearance-cookie.server";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { ThemeChoice } from "~/components/shell/appearance-controls";

type TopBarProps = {
  operator: Operator;
  theme: Appearance["theme"];
  /** Undefined while a password or a second factor has to be set up first (`Operator.setupPage`). */
  onSearch: (() => void) | undefined;
};

export function TopBar({ operator, theme, onSearch }: TopBarProps) {
  const { key } = useLocation();
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-3 border-b bg-background px-4 lg:px-6 print:hidden">
      <Link to={paths.dashboard} className="flex items-center gap-2 rounded-sm">
        <Logo />
        <span className="text-sm text-muted-foreground">back office</span>
      </Link>
      {onSearch ? <SearchLink onSearch={onSearch} /> : null}
      <OperatorLine operator={operator} className={cn("hidden md:flex", !onSearch && "ml-auto")} />
      <ThemeChoice theme={theme} className="hidden md:block" />
      {/* The key changes with the location, which closes the menu after a navigation. */}
      <SidebarTrigger key={key} className={cn(!onSearch && "ml-auto")}>
        Menu
      </SidebarTrigger>
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
      <KbdGroup aria-hidden className="-mr-1 max-lg:hidden">
        <Kbd>Ctrl</Kbd>
        <Kbd>K</Kbd>
      </KbdGroup>
    </ButtonLink>
  );
}

/** `setupPage`: the page for an own password or the second factor, while nothing else opens. */
export type Operator = Pick<SignedIn, "email" | "fullName" | "role"> & { setupPage: string | undefined };

/** The signed-in account: in the top bar, and on small screens above the menu. */
export function OperatorLine({ operator, className }: { operator: Operator; className: string }) {
  const id = useId();
  const name = operator.fullName || operator.email;
  return (
    <p className={cn("min-w-0 items-center gap-2 text-xs text-muted-foreground", className)}>
      <span className="sr-only">Signed in as </span>
      {operator.setupPage ? (
        <bdi title={operator.email} className="max-w-64 truncate">
          {name}
        </bdi>
      ) : (
        <Tooltip>
          <TooltipTrigger asChild aria-describedby={id}>
            <QuietLink to={paths.account} className="max-w-64 truncate">
              <bdi>{name}</bdi>
            </QuietLink>
          </TooltipTrigger>
          <TooltipContent id={id}>{`${operator.email}: my account`}</TooltipContent>
        </Tooltip>
      )}
      <Badge variant="secondary">{operator.role}</Badge>
    </p>
  );
}
