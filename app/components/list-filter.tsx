import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { filterMessages as copy } from "~/content/lists";
import { toSearch, type UrlState } from "~/http/list-state";
import { cn } from "~/lib/utils";

type ListFilterProps = {
  label: string;
  page: string;
  values: UrlState;
  /** outline where the screen has a more important action. */
  button?: "default" | "outline";
  /** Grid columns on wide screens, the last one for the buttons; narrow screens have two. */
  className: string;
  children: ReactNode;
};

/** Filters a list. The whole filter is in the URL, so that its result can be bookmarked and shared. */
export function ListFilter(props: ListFilterProps) {
  const { label, page, values, button = "default", className, children } = props;
  return (
    <Card className="p-4">
      <Form
        method="get"
        action={page}
        role="search"
        aria-label={label}
        className={cn("grid grid-cols-2 items-start gap-3", className)}
      >
        {children}
        <div className="flex gap-2 max-md:col-span-full md:pt-6.5">
          <Button type="submit" variant={button}>
            {copy.show}
          </Button>
          {toSearch(values) !== "" ? (
            <ButtonLink to={page} variant="ghost">
              {copy.clear}
            </ButtonLink>
          ) : null}
        </div>
      </Form>
    </Card>
  );
}
