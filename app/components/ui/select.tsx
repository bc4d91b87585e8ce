import { ChevronDown } from "~/components/icons";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";
import { controlVariants, type ControlSize } from "./input";

type SelectProps = Omit<ComponentPropsWithoutRef<"select">, "size"> & ControlSize;

/** The browser's own select with our border and arrow. `className` goes to the wrapper (for widths). */
export const Select = forwardRef<HTMLSelectElement, SelectProps>(function Select(
  { size, className, ...props },
  ref,
) {
  return (
    <span className={cn("relative block", className)}>
      <select ref={ref} className={cn(controlVariants({ size }), "appearance-none pr-9")} {...props} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  );
});
