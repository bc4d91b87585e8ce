import { Pagination, PaginationContent, PaginationItem, PaginationLink } from "~/components/ui/pagination";
import { cn } from "~/lib/utils";

export interface PageLinksProps {
  /** Name of the list, for screen readers. */
  title: string;
  /** The number of entries on this page. Rendered before the links, and alone when there is one page. */
  count?: string | undefined;
  /** Link targets; undefined where there is no such page. */
  newest: string | undefined;
  older: string | undefined;
  /** Noun for the list's entries: "Newest entries", "Older entries". */
  entries?: string;
  /** Labels of the two links in a list that is not sorted newest first. */
  names?: readonly [first: string, next: string];
  className?: string;
}

/** Links to the other pages of a list that is paged by id. Renders nothing when there is one page and no count. */
export function PageLinks(props: PageLinksProps) {
  const { title, count, newest, older, entries = "entries", names, className } = props;
  const [first, next] = names ?? [`Newest ${entries}`, `Older ${entries}`];
  const hasPages = newest !== undefined || older !== undefined;
  if (!hasPages && count === undefined) return null;
  return (
    <div className={cn("flex flex-wrap items-center gap-2", className)}>
      {count === undefined ? null : (
        <p className="mr-auto text-xs text-muted-foreground tabular-nums">{count}</p>
      )}
      {hasPages ? (
        <Pagination aria-label={`Pages of ${title}`}>
          <PaginationContent>
            {newest === undefined ? null : (
              <PaginationItem>
                <PaginationLink to={newest}>{first}</PaginationLink>
              </PaginationItem>
            )}
            {older === undefined ? null : (
              <PaginationItem>
                <PaginationLink to={older}>{next}</PaginationLink>
              </PaginationItem>
            )}
          </PaginationContent>
        </Pagination>
      ) : null}
    </div>
  );
}
