import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

export function Label({ className, ...props }: ComponentPropsWithoutRef<"label">) {
  return <label className={cn("text-sm font-medium text-foreground", className)} {...props} />;
}
