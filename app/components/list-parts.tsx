import type { ComponentProps, ReactNode } from "react";
import { PageLinks } from "~/components/page-links";
import { cn } from "~/lib/class-names";

type ListFrameProps = Omit<ComponentProps<typeof PageLinks>, "className" | "names"> & {
  /** Of the table; then its rows, and what stands for each of them below sm: a `<li>`. */
  heads: ReactNode;
  rows: ReactNode;
  cards: ReactNode;
};

/** A list of things people act on, newest first: a table from sm on, denser from md on, cards below sm. CSS shows one of the two. */
export function ListFrame({ heads, rows, cards, ...pages }: ListFrameProps) {
  return (
    <section aria-label={pages.title} className="rounded-lg border bg-surface">
      <table className="hidden w-full table-fixed text-left sm:table">
        <caption className="sr-only">{pages.title}</caption>
        <thead>
          <tr className="border-b bg-muted/60 text-2xs text-muted-foreground">{heads}</tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
      <ul className="divide-y sm:hidden">{cards}</ul>
      <PageLinks {...pages} className="justify-end border-t px-4 py-2.5" />
    </section>
  );
}

export function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", className)}>
      {children}
    </th>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <tr className="border-b last:border-b-0 hover:bg-muted/60">{children}</tr>;
}

export function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cn("px-3 py-2 align-top first:pl-4 last:pr-4", className)}>{children}</td>;
}

/** One line of a card, in a `<dl>` of two columns. */
export function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-xs leading-5 text-muted-foreground">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
