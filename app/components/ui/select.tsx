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
    <span className={cn("select", className)}>
      <select ref={ref} className={controlVariants({ size })} {...props} />
      <ChevronDown aria-hidden />
    </span>
  );
});
