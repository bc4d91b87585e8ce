import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

type SeparatorProps = ComponentPropsWithoutRef<"div"> & { orientation?: "horizontal" | "vertical" };

/** A line that only divides what is seen; it says nothing to screen readers. */
export function Separator({ className, orientation = "horizontal", ...props }: SeparatorProps) {
  return (
    <div
      data-slot="separator"
      data-orientation={orientation}
      role="none"
      className={cn(
        "shrink-0 bg-border data-[orientation=horizontal]:h-px data-[orientation=horizontal]:w-full",
        "data-[orientation=vertical]:h-full data-[orientation=vertical]:w-px forced-colors:bg-[CanvasText]",
        className,
      )}
      {...props}
    />
  );
}
