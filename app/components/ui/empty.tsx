import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

export function Empty({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="empty"
      className={cn(
        "flex min-w-0 flex-col items-center gap-4 px-4 py-12 text-center text-balance",
        className,
      )}
      {...props}
    />
  );
}

export function EmptyHeader({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="empty-header"
      className={cn("flex max-w-[35.3em] flex-col items-center gap-2", className)}
      {...props}
    />
  );
}

/** An h2: an empty list stands where the list would. */
export function EmptyTitle({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <h2 data-slot="empty-title" className={cn("font-medium", className)} {...props} />;
}

export function EmptyDescription({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return <p data-slot="empty-description" className={cn("text-muted-foreground", className)} {...props} />;
}

/** The action that fills the list. */
export function EmptyContent({ className, ...props }: DivProps) {
  return <div data-slot="empty-content" className={cn("flex items-center gap-2", className)} {...props} />;
}
