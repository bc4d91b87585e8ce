import { Link, type LinkProps } from "@remix-run/react";
import { cn } from "~/lib/utils";

/** A link in the colour of the text around it, as in the bars of the back office. */
export function QuietLink({ className, ...props }: LinkProps) {
  return (
    <Link
      className={cn("rounded-sm underline-offset-4 hover:text-foreground hover:underline", className)}
      {...props}
    />
  );
}
