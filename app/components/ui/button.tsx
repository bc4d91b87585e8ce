import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { Link, type LinkProps } from "~/components/link";
import { cn } from "~/lib/class-names";

/** Classes of a button, for a `<button>`, a ButtonLink and, as `className={buttonVariants()}`, an `<a>`. */
export const buttonVariants = cva("button", {
  variants: {
    variant: {
      primary: "button-primary",
      secondary: "button-secondary",
      quiet: "button-quiet",
      danger: "button-danger",
    },
    size: {
      /** Back office: 36 px, 44 px on touch screens. */
      dense: "button-dense",
      /** Landing page and single forms: 44 px. */
      regular: "button-regular",
      /** A square for one icon; the button needs an `aria-label`. */
      icon: "button-icon",
    },
  },
  defaultVariants: { variant: "primary", size: "regular" },
});

type ButtonProps = ComponentPropsWithoutRef<"button"> & VariantProps<typeof buttonVariants>;

/** A plain `<button>`; `type` is "button" unless the caller says "submit". */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant, size, type = "button", className, ...props },
  ref,
) {
  return (
    <button ref={ref} type={type} className={cn(buttonVariants({ variant, size }), className)} {...props} />
  );
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
}: LinkProps & VariantProps<typeof buttonVariants>) {
  return <Link {...props} className={buttonVariants({ variant, size, className })} />;
}
