import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

export const Label = forwardRef<HTMLLabelElement, ComponentPropsWithoutRef<"label">>(function Label(
  { className, ...props },
  ref,
) {
  return <label ref={ref} className={cn("text-sm font-medium text-foreground", className)} {...props} />;
});
