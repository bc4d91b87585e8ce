import { ChevronDown } from "lucide-react";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { controlVariants, type ControlVariants } from "./input";

type NativeSelectProps = Omit<ComponentPropsWithoutRef<"select">, "size"> & ControlVariants;

/** The browser's own select; its children are plain options. `className` goes to the wrapper, for widths. */
export const NativeSelect = forwardRef<HTMLSelectElement, NativeSelectProps>(function NativeSelect(
  { className, size, ...props },
  ref,
) {
  return (
    <div
      data-slot="native-select-wrapper"
      className={cn("relative w-full has-[select:disabled]:opacity-60", className)}
    >
      <select
        ref={ref}
        data-slot="native-select"
        className={cn(controlVariants({ size }), "appearance-none pr-9")}
        {...props}
      />
      <ChevronDown
        aria-hidden
        data-slot="native-select-icon"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </div>
  );
});
