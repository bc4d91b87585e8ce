import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** The page's content width: every section has the same left and right edge. */
export const measure = "mx-auto w-full max-w-[100rem] px-6 sm:px-8 lg:px-12";

export function SectionHeading({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <h2 className={cn("font-display text-3xl tracking-tight lg:text-4xl", className)} {...props} />;
}
