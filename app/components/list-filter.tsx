import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, buttonVariants } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.filters;

type ListFilterProps = {
  /** Of the form, for those who hear the page. */
  label: string;
  /** The page without a filter. */
  page: string;
  isFiltered: boolean;
  /** Secondary where the screen has another action that comes first. */
  button?: "primary" | "secondary";
  /** The columns on wide screens, of which the last is for the buttons; on narrow ones they are two. */
  className: string;
  children: ReactNode;
};

/** Narrows a list. Everything it asks for stands in the URL, so that what it finds can be kept and passed on. */
export function ListFilter(props: ListFilterProps) {
  const { label, page, isFiltered, button = "primary", className, children } = props;
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
          <Button type="submit" size="dense" variant={button}>
            {copy.show}
          </Button>
          {isFiltered ? (
            <Link to={page} className={buttonVariants({ variant: "quiet", size: "dense" })}>
              {copy.clear}
            </Link>
          ) : null}
        </div>
      </Form>
    </Card>
  );
}
