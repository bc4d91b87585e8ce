import type { VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Link } from "~/components/link";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { paths } from "~/paths";

/** The page's content width: every section has the same left and right edge. */
export const measure = "mx-auto w-full max-w-[100rem] px-6 sm:px-8 lg:px-12";

/** A section's heading in the display font. */
export function SectionHeading({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return <h2 className={cn("font-display text-3xl tracking-tight lg:text-4xl", className)} {...props} />;
}

type DialogLinkProps = VariantProps<typeof buttonVariants> & { className?: string };

export function EarlyAccessLink(props: DialogLinkProps) {
  return (
    <DialogLink {...props} to={paths.earlyAccess}>
      Sign Up for Early Access
    </DialogLink>
  );
}

export function UpdatesLink(props: DialogLinkProps) {
  return (
    <DialogLink {...props} to={paths.updates}>
      Sign Up for Updates
    </DialogLink>
  );
}

/** Opens a dialog over the current page; without JavaScript, loads the same page with the dialog open. */
function DialogLink(props: DialogLinkProps & { to: string; children: ReactNode }) {
  const { to, variant, size, className, children } = props;
  return (
    <Link to={to} preventScrollReset className={cn(buttonVariants({ variant, size }), className)}>
      {children}
    </Link>
  );
}
