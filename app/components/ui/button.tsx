import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { Link, type LinkProps } from "@remix-run/react";
import { cn } from "~/lib/class-names";

interface ButtonLook {
  variant?: "primary" | "secondary" | "quiet" | "danger" | undefined;
  /**
   * dense: the back office; 36 px, 44 px on touch screens. regular: the landing page and single forms; 44 px.
   * icon: a square for one icon; the button needs an `aria-label`.
   */
  size?: "dense" | "regular" | "icon" | undefined;
  className?: string | undefined;
}

/** Classes of a button, for a `<button>`, a ButtonLink and, as `className={buttonVariants({})}`, an `<a>`. */
export const buttonVariants = ({ variant = "primary", size = "regular", className }: ButtonLook) =>
  cn("button", `button-${variant}`, `button-${size}`, className);

type ButtonProps = ComponentPropsWithoutRef<"button"> & ButtonLook;

/** A plain `<button>`; `type` is "button" unless the caller says "submit". */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant, size, type = "button", className, ...props },
  ref,
) {
  return <button ref={ref} type={type} className={buttonVariants({ variant, size, className })} {...props} />;
});

type IntentButtonProps = Omit<ButtonProps, "type" | "name" | "value"> & { intent: string };

/** Submits its form with an `intent`, which tells the action what to do. Secondary and dense by default. */
export function IntentButton({ intent, variant = "secondary", size = "dense", ...props }: IntentButtonProps) {
  return <Button {...props} type="submit" name="intent" value={intent} variant={variant} size={size} />;
}

/** A link that looks like a button. Secondary and dense by default. */
export function ButtonLink({
  variant = "secondary",
  size = "dense",
  className,
  ...props
}: LinkProps & ButtonLook) {
  return <Link {...props} className={buttonVariants({ variant, size, className })} />;
}
