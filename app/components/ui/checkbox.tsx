import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/**
 * The browser's own when checked, in whole or in part; empty it has the look of an Input, because browsers fill it grey
 * in the dark.
 */
export function Checkbox({ className, ...props }: Omit<ComponentPropsWithoutRef<"input">, "type">) {
  return (
    <input
      type="checkbox"
      data-slot="checkbox"
      className={cn(
        "peer size-4 shrink-0 accent-primary disabled:cursor-not-allowed disabled:opacity-60",
        "not-checked:not-indeterminate:appearance-none not-checked:not-indeterminate:rounded-sm",
        "not-checked:not-indeterminate:border not-checked:not-indeterminate:border-input",
        "not-checked:not-indeterminate:bg-card",
        className,
      )}
      {...props}
    />
  );
}
