import { ChevronRight, type LucideProps } from "lucide-react";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** A `<details>`, which works without JavaScript; `open` says how it starts. */
export function Collapsible(props: ComponentPropsWithoutRef<"details">) {
  return <details data-slot="collapsible" {...props} />;
}

export function CollapsibleTrigger({ className, ...props }: ComponentPropsWithoutRef<"summary">) {
  return (
    <summary
      data-slot="collapsible-trigger"
      className={cn("flex items-center gap-2 rounded-sm select-none", className)}
      {...props}
    />
  );
}

/** An arrow for the trigger, which points down while the content is shown. */
export function CollapsibleIcon({ className, ...props }: LucideProps) {
  return (
    <ChevronRight
      aria-hidden
      data-slot="collapsible-icon"
      className={cn(
        "size-4 shrink-0 text-muted-foreground transition-transform [[open]>summary>&]:rotate-90",
        className,
      )}
      {...props}
    />
  );
}

export function CollapsibleContent(props: ComponentPropsWithoutRef<"div">) {
  return <div data-slot="collapsible-content" {...props} />;
}
