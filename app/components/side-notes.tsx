import type { ReactNode } from "react";

type SideNotesProps = { id: string; title: string; className?: string; children: ReactNode };

/** Notes beside a screen's form. Its children are list items. */
export function SideNotes({ id, title, className = "lg:pt-2", children }: SideNotesProps) {
  return (
    <aside aria-labelledby={id} className={className}>
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      <ul className="mt-3 flex max-w-[37.8em] list-none flex-col gap-3 text-sm text-muted-foreground">
        {children}
      </ul>
    </aside>
  );
}
