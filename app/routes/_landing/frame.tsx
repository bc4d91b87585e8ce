import { Link } from "@remix-run/react";
import type { VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { paths } from "~/paths";

/** The page's one measure: every section starts and ends on the same two lines. */
export const measure = "mx-auto w-full max-w-[100rem] px-5 sm:px-8 lg:px-12";

/** A section's heading in the display face. */
export function SectionHeading({
  id,
  className,
  children,
}: {
  id?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <h2 id={id} className={cn("font-display text-3xl tracking-tight lg:text-4xl", className)}>
      {children}
    </h2>
  );
}

type EarlyAccessLinkProps = VariantProps<typeof buttonVariants> & { className?: string };

/** Opens the dialog over the page as it stands; without JavaScript, the same page with the dialog open. */
export function EarlyAccessLink({ variant, size, className }: EarlyAccessLinkProps) {
  return (
    <Link
      to={paths.earlyAccess}
      preventScrollReset
      className={cn(buttonVariants({ variant, size }), className)}
    >
      Sign Up for Early Access
    </Link>
  );
}
