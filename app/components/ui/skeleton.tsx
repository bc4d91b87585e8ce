import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** Holds the place of what is still loading; without the pulse of shadcn/ui's. */
export function Skeleton({ className, ...props }: ComponentPropsWithoutRef<"div">) {
  return <div data-slot="skeleton" className={cn("rounded-md bg-accent", className)} {...props} />;
}
