import { Link, type LinkProps } from "@remix-run/react";
import { cn } from "~/lib/utils";

/** A link in a text, underlined because its colour alone would not tell. */
export function TextLink({ className, ...props }: LinkProps) {
  return <Link {...props} className={cn("text-primary underline underline-offset-4", className)} />;
}
