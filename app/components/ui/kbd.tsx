import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

export function Kbd({ className, ...props }: ComponentPropsWithoutRef<"kbd">) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        "pointer-events-none inline-flex h-5 w-fit min-w-5 items-center justify-center gap-1 rounded-sm border bg-muted px-1",
        "font-sans text-2xs font-medium text-muted-foreground select-none [&_svg:not([class*='size-'])]:size-3",
        className,
      )}
      {...props}
    />
  );
}

/** Keys that are pressed together, or one after the other. */
export function KbdGroup({ className, ...props }: ComponentPropsWithoutRef<"kbd">) {
  return (
    <kbd
      data-slot="kbd-group"
      className={cn("inline-flex items-center gap-1 font-sans", className)}
      {...props}
    />
  );
}
