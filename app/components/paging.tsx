import { Link, type LinkProps } from "@remix-run/react";
import { buttonVariants } from "~/components/ui/button";

type PagingProps = {
  /** Of what is paged, for those who hear the page. */
  title: string;
  shown: number;
  /** How many entries there are on all pages. */
  total: number;
  /** Ids for ?before=: undefined where there is no such page. "" is the newest page. */
  older: string | undefined;
  newest: "" | undefined;
  linkTo: (before: string) => LinkProps["to"];
};

/** The way to other pages of a list that is paged by id; nothing when there is one page. */
export function Paging({ title, shown, total, older, newest, linkTo }: PagingProps) {
  if (older === undefined && newest === undefined) return null;
  const look = buttonVariants({ variant: "secondary", size: "dense" });
  return (
    <nav aria-label={`Pages of ${title}`} className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
      <p className="mr-auto text-xs text-muted-foreground tabular-nums">
        {shown.toLocaleString("en")} of {total.toLocaleString("en")} entries on this page
      </p>
      {newest === undefined ? null : (
        <Link to={linkTo(newest)} className={look}>
          Newest entries
        </Link>
      )}
      {older === undefined ? null : (
        <Link to={linkTo(older)} className={look}>
          Older entries
        </Link>
      )}
    </nav>
  );
}
