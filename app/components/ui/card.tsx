import { Slot } from "@radix-ui/react-slot";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

/** A section of a screen. One that tests or screen readers look for has `role="region"` and a name. */
export function Card({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="card"
      className={cn("break-inside-avoid rounded-lg border bg-card text-card-foreground", className)}
      {...props}
    />
  );
}

/** With `className="border-b"` it has a line below it. */
export function CardHeader({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="card-header"
      className={cn(
        "flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-4 [.border-b]:py-3",
        className,
      )}
      {...props}
    />
  );
}

/** An h2, because cards are the sections of a screen, or the heading given with `asChild`. */
export function CardTitle({
  className,
  asChild = false,
  ...props
}: ComponentPropsWithoutRef<"h2"> & { asChild?: boolean }) {
  const Comp = asChild ? Slot : "h2";
  return <Comp data-slot="card-title" className={cn("text-sm font-semibold", className)} {...props} />;
}

export function CardDescription({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p
      data-slot="card-description"
      className={cn("order-last basis-full text-xs text-muted-foreground", className)}
      {...props}
    />
  );
}

/** What can be done with the card, or its state: at the end of the title's line, or below it where there is no room. */
export function CardAction({ className, ...props }: DivProps) {
  return <div data-slot="card-action" className={cn("shrink-0", className)} {...props} />;
}

export function CardContent({ className, ...props }: DivProps) {
  return <div data-slot="card-content" className={cn("p-4", className)} {...props} />;
}

export function CardFooter({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="card-footer"
      className={cn("flex items-center gap-2 border-t px-4 py-3", className)}
      {...props}
    />
  );
}
