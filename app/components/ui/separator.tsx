import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** A line that only divides what is seen; it says nothing to screen readers. */
export function Separator({ className, ...props }: ComponentPropsWithoutRef<"div">) {
  return (
    <div
      data-slot="separator"
      role="none"
      className={cn("h-px w-full shrink-0 bg-border forced-colors:bg-[CanvasText]", className)}
      {...props}
    />
  );
}
