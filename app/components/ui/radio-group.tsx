import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** In a FieldSet, whose legend names the group. */
export function RadioGroup({ className, ...props }: ComponentPropsWithoutRef<"div">) {
  return <div data-slot="radio-group" className={cn("grid gap-2", className)} {...props} />;
}

/** The browser's own when checked; empty it has the look of an Input, as Checkbox. */
export function RadioGroupItem({ className, ...props }: Omit<ComponentPropsWithoutRef<"input">, "type">) {
  return (
    <input
      type="radio"
      data-slot="radio-group-item"
      className={cn(
        "size-4 shrink-0 accent-primary",
        "not-checked:appearance-none not-checked:rounded-full not-checked:border not-checked:border-input not-checked:bg-card",
        className,
      )}
      {...props}
    />
  );
}
