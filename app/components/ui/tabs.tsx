import { Slot } from "@radix-ui/react-slot";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** Views of one thing, each with its own address. Needs an `aria-label`. */
export function Tabs({ className, ...props }: ComponentPropsWithoutRef<"nav">) {
  return <nav data-slot="tabs" className={cn("border-b", className)} {...props} />;
}

export function TabsList({ className, ...props }: ComponentPropsWithoutRef<"ul">) {
  return (
    <ul
      data-slot="tabs-list"
      className={cn("-mb-px flex [scrollbar-width:none] gap-x-4 overflow-x-auto sm:gap-x-6", className)}
      {...props}
    />
  );
}

type TabsTriggerProps = ComponentPropsWithoutRef<"a"> & { asChild?: boolean };

/** A link; `aria-current="page"` marks the view that is shown. */
export function TabsTrigger({ asChild = false, className, ...props }: TabsTriggerProps) {
  const Comp = asChild ? Slot : "a";
  return (
    <li>
      <Comp
        data-slot="tabs-trigger"
        className={cn(
          "inline-flex h-9 items-center gap-1 border-b-2 border-transparent text-xs whitespace-nowrap text-muted-foreground sm:gap-2 sm:text-sm",
          "transition-colors hover:text-foreground pointer-coarse:h-11",
          "aria-[current=page]:border-primary aria-[current=page]:font-medium aria-[current=page]:text-primary",
          "forced-colors:not-aria-[current=page]:border-b-0",
          className,
        )}
        {...props}
      />
    </li>
  );
}
