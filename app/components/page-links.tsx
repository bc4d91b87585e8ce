import { Link, type LinkProps } from "@remix-run/react";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";

type PageLinksProps = {
  /** Of what is paged, for those who hear the page. */
  title: string;
  /** Where they lead; undefined where there is no such page. */
  newest: LinkProps["to"] | undefined;
  older: LinkProps["to"] | undefined;
  /** "Newest entries", "Older entries": what one of a page is called. */
  entries?: string;
  /** What the two are called where the newest do not come first. */
  names?: readonly [first: string, next: string];
  className?: string;
};

/** The way to the other pages of a list that is paged by id; nothing when there is one page. */
export function PageLinks({ title, newest, older, entries = "entries", names, className }: PageLinksProps) {
  const [first, next] = names ?? [`Newest ${entries}`, `Older ${entries}`];
  if (newest === undefined && older === undefined) return null;
  const look = buttonVariants({ variant: "secondary", size: "dense" });
  return (
    <nav aria-label={`Pages of ${title}`} className={cn("flex flex-wrap gap-2", className)}>
      {newest === undefined ? null : (
        <Link to={newest} className={look}>
          {first}
        </Link>
      )}
      {older === undefined ? null : (
        <Link to={older} className={look}>
          {next}
        </Link>
      )}
    </nav>
  );
}
