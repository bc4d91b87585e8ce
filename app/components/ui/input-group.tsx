import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { Input, type InputProps } from "./input";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A control with something inside its border, such as an icon. */
export function InputGroup({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="input-group"
      className={cn(
        "group/input-group relative flex h-9 w-full min-w-0 items-center rounded-md border border-input bg-card transition-colors",
        "hover:border-foreground/60 pointer-coarse:h-11 has-[>[data-align=inline-start]]:[&>input]:pl-2",
        "has-[[data-slot=input-group-control]:focus-visible]:border-ring has-[[data-slot=input-group-control]:focus-visible]:outline-2",
        "has-[[data-slot=input-group-control]:focus-visible]:outline-ring has-[[data-slot][aria-invalid=true]]:border-destructive",
        className,
      )}
      {...props}
    />
  );
}

/** Stands before the input. */
export function InputGroupAddon({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="input-group-addon"
      data-align="inline-start"
      className={cn(
        "pointer-events-none order-first flex items-center justify-center gap-2 pl-3 text-muted-foreground select-none",
        "[&>svg:not([class*='size-'])]:size-4",
        className,
      )}
      {...props}
    />
  );
}

export const InputGroupInput = forwardRef<HTMLInputElement, InputProps>(function InputGroupInput(
  { className, ...props },
  ref,
) {
  return (
    <Input
      ref={ref}
      data-slot="input-group-control"
      className={cn(
        "h-full flex-1 rounded-none border-0 bg-transparent outline-none pointer-coarse:h-full",
        className,
      )}
      {...props}
    />
  );
});
