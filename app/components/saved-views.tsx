import { Link } from "@remix-run/react";
import { Bookmark, Users } from "lucide-react";
import { useRef } from "react";
import { ButtonLink } from "~/components/button-link";
import { QuietLink } from "~/components/quiet-link";
import { ToggleGroup, ToggleGroupItem } from "~/components/ui/toggle-group";
import { useIsomorphicLayoutEffect } from "~/components/use-isomorphic-layout-effect";
import { savedViewMessages as copy } from "~/content/saved-views";
import { linkTo, toSearch, type UrlState } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";

interface ListedView {
  readonly id: string;
  readonly name: string;
  /** Search of the list's URL. */
  readonly query: string;
  readonly isShared: boolean;
}

export interface ListViews {
  /** Path of the list. */
  list: string;
  /** The list's whole filter and order. */
  values: UrlState;
  views: readonly ListedView[];
}

/** Of the line of links (`p-1` below), in pixels. */
const LINE_PADDING = 4;

/** Links to the saved views of a list, in one line that scrolls; nothing where there are none. */
export function SavedViews({ list, values, views, className }: ListViews & { className?: string }) {
  const shown = toSearch(values);
  const line = useRef<HTMLElement>(null);
  // Of many the current one may be outside of the line.
  useIsomorphicLayoutEffect(() => {
    const current = line.current?.querySelector("[aria-current]")?.getBoundingClientRect();
    const box = line.current?.getBoundingClientRect();
    if (!current || !box || (current.left >= box.left && current.right <= box.right)) return;
    line.current?.scrollBy(current.left - box.left - LINE_PADDING, 0);
  }, [shown]);
  if (views.length === 0) return null;
  return (
    <div className={cn("flex min-w-0 items-center gap-3 print:hidden", className)}>
      {/* The padding keeps the rings of focused links, which the scrolling line would cut off. */}
      <ToggleGroup
        asChild
        variant="outline"
        size="sm"
        spacing={1}
        className="-m-1 min-w-0 [scrollbar-width:none] overflow-x-auto p-1 data-[spacing=1]:flex-nowrap"
      >
        <nav ref={line} aria-label={copy.label}>
          {views.map(({ id, name, query, isShared }) => (
            <ToggleGroupItem key={id} asChild aria-current={query === shown ? "true" : undefined}>
              <Link
                to={`${list}?${query}`}
                title={name}
                preventScrollReset
                className="max-w-60 shrink-0 px-2.5"
              >
                <bdi className="truncate">{name}</bdi>
                {isShared ? (
                  <>
                    <Users aria-hidden className="size-3.5! opacity-70" />
                    <span className="sr-only">({copy.shared})</span>
                  </>
                ) : null}
              </Link>
            </ToggleGroupItem>
          ))}
        </nav>
      </ToggleGroup>
      <QuietLink
        to={linkTo(paths.savedViews, { list, ...values })}
        className="shrink-0 text-xs text-muted-foreground pointer-coarse:py-3"
      >
        {copy.manage}
      </QuietLink>
    </div>
  );
}

/** Leads to the form that saves what is shown; nothing where nothing filters or orders, or a view is shown. */
export function SaveViewLink({ list, values, views }: ListViews) {
  const shown = toSearch(values);
  if (shown === "" || views.some(({ query }) => query === shown)) return null;
  return (
    <ButtonLink to={linkTo(paths.savedViews, { list, ...values })} variant="ghost">
      <Bookmark aria-hidden className="text-muted-foreground" />
      {copy.save}
    </ButtonLink>
  );
}
