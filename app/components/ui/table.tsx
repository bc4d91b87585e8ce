import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

export function Table({ className, ...props }: ComponentPropsWithoutRef<"table">) {
  return <table data-slot="table" className={cn("w-full text-left text-sm", className)} {...props} />;
}

export function TableHeader({ className, ...props }: ComponentPropsWithoutRef<"thead">) {
  return <thead data-slot="table-header" className={className} {...props} />;
}

export function TableBody({ className, ...props }: ComponentPropsWithoutRef<"tbody">) {
  return (
    <tbody data-slot="table-body" className={cn("[&>tr:last-child]:border-b-0", className)} {...props} />
  );
}

export function TableFooter({ className, ...props }: ComponentPropsWithoutRef<"tfoot">) {
  return (
    <tfoot
      data-slot="table-footer"
      className={cn("border-t bg-muted/60 font-medium [&>tr:last-child]:border-b-0", className)}
      {...props}
    />
  );
}

const ROW = [
  "scroll-mt-14 scroll-mb-12 border-b hover:bg-muted/60 has-checked:bg-primary-surface",
  "has-[a[aria-current=true]]:bg-primary-surface",
  "has-focus-visible:bg-muted has-focus-visible:has-checked:bg-primary-surface",
  "has-focus-visible:[&>:first-child]:shadow-[inset_3px_0_0_var(--color-primary)]",
  // Of a row without a link, which has the focus itself.
  "outline-none focus-visible:bg-muted focus-visible:has-checked:bg-primary-surface",
  "focus-visible:[&>:first-child]:shadow-[inset_3px_0_0_var(--color-primary)]",
];

/** Coloured as selected while a checkbox in it is checked or its link is the open row's, and marked while the focus is in it. */
export function TableRow({ className, ...props }: ComponentPropsWithoutRef<"tr">) {
  return <tr data-slot="table-row" className={cn(ROW, className)} {...props} />;
}

export function TableHead({ className, ...props }: ComponentPropsWithoutRef<"th">) {
  return (
    <th
      data-slot="table-head"
      className={cn("h-8 px-3 text-2xs font-medium text-muted-foreground", className)}
      {...props}
    />
  );
}

/** From md on a cell with one line of text, or a badge, is 36 px high, with the border. */
export function TableCell({ className, ...props }: ComponentPropsWithoutRef<"td">) {
  return (
    <td
      data-slot="table-cell"
      className={cn("px-3 py-3 align-top md:pt-2 md:pb-1.75 [&_[data-slot=badge]]:align-top", className)}
      {...props}
    />
  );
}

export function TableCaption({ className, ...props }: ComponentPropsWithoutRef<"caption">) {
  return (
    <caption
      data-slot="table-caption"
      className={cn("mt-4 text-sm text-muted-foreground", className)}
      {...props}
    />
  );
}
