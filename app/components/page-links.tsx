import { Pagination, PaginationContent, PaginationItem, PaginationLink } from "~/components/ui/pagination";
import { buttonVariants } from "~/components/ui/button";
import { paginationMessages as copy } from "~/content/lists";
import { cn } from "~/lib/utils";

export interface PageLinksProps {
  /** Name of the list, for screen readers. */
  title: string;
  /** Says how many entries are on this page. Rendered before the links, and alone when there is one page. */
  count?: string | undefined;
  /** Link targets; undefined where there is no such page. */
  first: string | undefined;
  previous: string | undefined;
  next: string | undefined;
  /** Noun for the entries of a list that is sorted newest first: "Newest entries". Left out: "First page". */
  newestNoun?: string | undefined;
  /** The name of the next page, where that is special. */
  nextName?: string | undefined;
  className?: string;
}

/** Links to the other pages of a list that is paged by keyset. Renders nothing when there is one page and no count. */
export function PageLinks(props: PageLinksProps) {
  const { title, count, first, previous, next, newestNoun, nextName, className } = props;
  const [names, noun] = newestNoun === undefined ? [copy.pages, copy.page] : [copy.byTime, newestNoun];
  const hasPages = first !== undefined || previous !== undefined || next !== undefined;
  if (!hasPages && count === undefined) return null;
  return (
    <div className={cn("flex flex-wrap items-center gap-2", className)}>
      {count === undefined ? null : (
        <p className="mr-auto text-xs text-muted-foreground tabular-nums">{count}</p>
      )}
      {hasPages ? (
        <Pagination aria-label={`Pages of ${title}`}>
          <PaginationContent>
            <PageLink to={first} name={names.first} noun={noun} />
            <PageLink to={previous} name={names.previous} noun={noun} />
            {/* The last page keeps its room, so that no other link comes under the pointer. */}
            <PageLink to={next} name={nextName ?? names.next} noun={nextName ? "" : noun} keepsRoom />
          </PaginationContent>
        </Pagination>
      ) : null}
    </div>
  );
}

type PageLinkProps = { to: string | undefined; name: string; noun: string; keepsRoom?: boolean };

/** A small screen has room for the first word alone. */
function PageLink({ to, name, noun, keepsRoom = false }: PageLinkProps) {
  if (to === undefined && !keepsRoom) return null;
  // One child, because a button has a gap between its children.
  const label = (
    <span>
      {name}
      {noun ? <span className="max-sm:sr-only"> {noun}</span> : null}
    </span>
  );
  return (
    <PaginationItem>
      {to === undefined ? (
        <span aria-hidden className={cn(buttonVariants({ variant: "outline" }), "invisible")}>
          {label}
        </span>
      ) : (
        <PaginationLink to={to}>{label}</PaginationLink>
      )}
    </PaginationItem>
  );
}
