import { type LinkProps, useLocation, useOutlet, useParams, useSearchParams } from "@remix-run/react";
import { Component, type ReactNode, useSyncExternalStore } from "react";
import { ListLink } from "~/components/text-link";
import { listDetailMessages as copy } from "~/content/lists";
import { toListSearch, toRow } from "~/http/list-detail";
import { cn } from "~/lib/utils";

/** From the breakpoint lg on, an open row stands beside its list. */
const WIDE = "(width >= 1200px)";

type ListDetailProps = {
  /** What stands above the list, over its whole width: nothing of it moves when a row is opened. */
  top: ReactNode;
  /** The list. */
  children: ReactNode;
};

/**
 * A list, and beside it the page of the row that is open, which is the route's outlet. Below lg CSS hides the list, so
 * that the row's page is alone; the document is the same, with and without JavaScript.
 */
export function ListDetail({ top, children }: ListDetailProps) {
  const detail = useOutlet();
  const isOpen = detail !== null;
  return (
    <SteadyRow isOpen={isOpen}>
      <div className={isOpen ? "max-lg:hidden print:hidden" : undefined}>{top}</div>
      <div
        className={
          isOpen ? "lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:items-start lg:gap-4" : undefined
        }
      >
        <div
          data-slot="list"
          data-beside={isOpen || undefined}
          className={cn("min-w-0", isOpen && "max-lg:hidden print:hidden")}
        >
          {children}
        </div>
        {isOpen ? (
          <section
            data-slot="detail"
            aria-label={copy.detail}
            className="@container/detail min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-6.75rem)] lg:overflow-y-auto lg:rounded-lg lg:border lg:bg-background lg:p-4 print:max-h-none print:overflow-visible"
          >
            {detail}
          </section>
        ) : null}
      </div>
    </SteadyRow>
  );
}

type SteadyRowProps = { isOpen: boolean; children: ReactNode };
type RowPosition = { row: Element; top: number };

/**
 * Keeps the row with the focus, or the open one, in its place on the screen while the list beside it gets narrower or
 * wider and its texts wrap differently. A class, because no hook can measure the page before it changes.
 */
class SteadyRow extends Component<SteadyRowProps> {
  override getSnapshotBeforeUpdate(previous: SteadyRowProps): RowPosition | null {
    if (previous.isOpen === this.props.isOpen) return null;
    const list = document.querySelector("[data-slot=list]");
    const target = list?.contains(document.activeElement)
      ? document.activeElement
      : list?.querySelector("a[aria-current=true]");
    const row = target?.closest("tr, [data-row]");
    return row?.checkVisibility() ? { row, top: row.getBoundingClientRect().top } : null;
  }

  override componentDidUpdate(_props: SteadyRowProps, _state: object, position: RowPosition | null) {
    // In a microtask, after the layout effect in which Remix scrolls to where the list was when the row was opened.
    queueMicrotask(() => {
      if (position?.row.checkVisibility())
        window.scrollBy({
          top: position.row.getBoundingClientRect().top - position.top,
          behavior: "instant",
        });
    });
  }

  override render() {
    return this.props.children;
  }
}

/** Returns whether a row of the list is open, so that notices and questions are the row's. */
export const useIsRowOpen = () => useParams().id !== undefined;

/** Returns whether there is room for a row beside the list; false until the page is hydrated. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => window.matchMedia(WIDE).matches,
    () => false,
  );
}

/** Leads from a list's row to its page beside the list, which stays as it is. */
export function RowLink({ to, ...props }: LinkProps & { to: string }) {
  const [search] = useSearchParams();
  const params = useParams();
  const isOpen = useLocation().pathname === to;
  return (
    <ListLink
      {...props}
      to={toRow(to, String(toListSearch(search, params)))}
      // Back leads to the list, however many rows were opened meanwhile.
      replace={params.id !== undefined}
      preventScrollReset={useIsWide()}
      aria-current={isOpen ? "true" : undefined}
    />
  );
}
