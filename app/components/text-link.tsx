import { Link, type LinkProps } from "@remix-run/react";
import { cn } from "~/lib/utils";

/** A link in a text, underlined because its colour alone would not tell. */
export function TextLink({ className, ...props }: LinkProps) {
  return <Link {...props} className={cn("text-primary underline underline-offset-4", className)} />;
}

/** A link that stands by itself in a list: underlined under the pointer, and always on small screens, which have none. */
export function ListLink({ className, ...props }: LinkProps) {
  return (
    <Link
      {...props}
      className={cn("text-primary underline-offset-4 hover:underline max-md:underline", className)}
    />
  );
}
