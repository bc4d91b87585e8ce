import { Form } from "@remix-run/react";
import { ListFilter as FilterIcon } from "lucide-react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { ButtonLink } from "~/components/button-link";
import { HiddenFields } from "~/components/hidden-fields";
import { SavedViews, SaveViewLink, type ListViews } from "~/components/saved-views";
import { TextField } from "~/components/text-field";
import { Button } from "~/components/ui/button";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "~/components/ui/collapsible";
import { useAppliedFilter } from "~/components/use-applied-filter";
import { filterMessages as copy } from "~/content/lists";
import { linkTo, toSearch, withoutOrder, type UrlState } from "~/http/list-state";
import { cn } from "~/lib/utils";

type ListFilterProps = {
  label: string;
  page: string;
  /** Of the filter, and of the list's order, which the form keeps. */
  values: UrlState & { readonly sort?: string; readonly order?: string };
  /** The list's saved views, and what a new one would be; left out where there are none. */
  saved?: ListViews;
  /** outline where the screen has a more important action. */
  button?: "default" | "outline";
  className?: string;
  /** The fields of the one line. */
  children: ReactNode;
  /** Further fields, in a panel that opens below the line. */
  more?: ReactNode;
  /** Names of the further fields: the button says how many of them filter. */
  moreNames?: readonly string[];
  /** True when a further field has an error, so that the panel opens. */
  isMoreOpen?: boolean;
};

/** Labels stand beside the controls, errors below them. */
const LINE = [
  "*:data-[slot=field]:flex-row *:data-[slot=field]:flex-wrap *:data-[slot=field]:items-center *:data-[slot=field]:gap-x-2",
  // A control is as wide as its longest choice where there is room; where there is none it shrinks beside its label.
  "*:data-[slot=field]:[&>:nth-child(2)]:w-auto *:data-[slot=field]:[&>:nth-child(2)]:min-w-28",
  "*:data-[slot=field]:[&>:nth-child(2)]:flex-1",
  "[&_[data-slot=field-error]]:basis-full *:data-[slot=field]:[&_[data-slot=field-label]]:font-normal",
  "*:data-[slot=field]:[&_[data-slot=field-label]]:text-muted-foreground",
];

/**
 * Filters a list, with JavaScript as the fields are changed. The whole filter is in the URL, so that its result can be
 * bookmarked and shared.
 */
export function ListFilter(props: ListFilterProps) {
  const { label, page, values, saved, button = "default", className, children, more, moreNames = [] } = props;
  const form = useAppliedFilter(values);
  const order = { sort: values.sort, order: values.order };
  const set = moreNames.filter((name) => values[name]).length;
  return (
    <>
      {saved ? <SavedViews {...saved} /> : null}
      <Form
        ref={form}
        method="get"
        action={page}
        role="search"
        aria-label={label}
        className={cn("relative flex flex-wrap items-start gap-2 print:hidden", LINE, className)}
      >
        <HiddenFields values={order} />
        {children}
        {more ? (
          <Collapsible open={props.isMoreOpen ?? false} onKeyDown={closeByEscape} className="group/more">
            <CollapsibleTrigger className="h-9 rounded-md border border-input/60 bg-card px-3 font-medium hover:border-input hover:bg-accent pointer-coarse:h-11">
              <FilterIcon aria-hidden className="size-4 text-muted-foreground" />
              {copy.more}
              {set > 0 ? (
                <span className="rounded-sm bg-primary-surface px-1.5 text-2xs text-primary">
                  {set}
                  <span className="sr-only"> {copy.inUse}</span>
                </span>
              ) : null}
            </CollapsibleTrigger>
            {/* Over the list, so that opening it moves nothing. */}
            <CollapsibleContent className="absolute top-full right-0 z-20 mt-2 grid w-full max-w-md grid-cols-2 items-start gap-3 rounded-lg border bg-popover p-4 shadow-float">
              {more}
            </CollapsibleContent>
          </Collapsible>
        ) : null}
        {/* With JavaScript the button that Enter presses. */}
        <Button type="submit" variant={button} className="not-noscript:hidden">
          {copy.show}
        </Button>
        {toSearch(withoutOrder(values)) !== "" ? (
          <ButtonLink to={linkTo(page, order)} variant="ghost">
            {copy.clear}
          </ButtonLink>
        ) : null}
        {/* Not where only saved.values are set, as the log's view: they choose how the list is shown. */}
        {saved && toSearch(values) !== "" ? <SaveViewLink {...saved} /> : null}
      </Form>
    </>
  );
}

/** Closes a panel that covers the list, and returns the focus to what opened it. */
function closeByEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  const { currentTarget: panel, key } = event;
  if (key !== "Escape" || !panel.open) return;
  event.preventDefault();
  panel.open = false;
  panel.querySelector("summary")?.focus();
}

type SearchFieldProps = Omit<ComponentProps<typeof TextField>, "placeholder" | "type" | "className"> & {
  label: string;
};

/** The search in the line: its label is the placeholder, and for screen readers alone besides. */
export function SearchField({ label, ...field }: SearchFieldProps) {
  return (
    <TextField
      label={label}
      placeholder={label}
      type="search"
      className="min-w-40 flex-1 *:first:sr-only max-sm:basis-full"
      {...field}
    />
  );
}
