import type { LinkProps } from "@remix-run/react";
import { PageLinks } from "~/components/page-links";

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

/** How much of a list whose size is known this page shows, and the way to the others; nothing when there is one page. */
export function Paging({ title, shown, total, older, newest, linkTo }: PagingProps) {
  if (older === undefined && newest === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
      <p className="mr-auto text-xs text-muted-foreground tabular-nums">
        {shown.toLocaleString("en")} of {total.toLocaleString("en")} entries on this page
      </p>
      <PageLinks
        title={title}
        newest={newest === undefined ? undefined : linkTo(newest)}
        older={older === undefined ? undefined : linkTo(older)}
      />
    </div>
  );
}
