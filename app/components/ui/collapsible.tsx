import { ChevronRight, type LucideProps } from "lucide-react";
import { useEffect, useRef, useState, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** A `<details>`, which works without JavaScript. `open` opens it, at first or later; only a person closes it. */
export function Collapsible({ open = false, ...props }: ComponentPropsWithoutRef<"details">) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpenAtFirst] = useState(open);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (open && !wasOpen.current && details.current) details.current.open = true;
    wasOpen.current = open;
  }, [open]);
  return <details ref={details} data-slot="collapsible" open={isOpenAtFirst} {...props} />;
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
