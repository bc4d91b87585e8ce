import { Link, type LinkProps } from "@remix-run/react";
import { Button, type ButtonProps } from "~/components/ui/button";

type ButtonLinkProps = LinkProps & Pick<ButtonProps, "variant" | "size">;

/** A link that looks like a button, outlined by default. */
export function ButtonLink({ variant = "outline", size, className, ...props }: ButtonLinkProps) {
  return (
    <Button asChild variant={variant} size={size} className={className}>
      <Link {...props} />
    </Button>
  );
}
