import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

/** Classes of a button, for a `<button>` and, as `className={buttonVariants()}`, for a link that acts like one. */
export const buttonVariants = cva(
  [
    "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none",
    "transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:opacity-60",
    "[&_svg]:size-4 [&_svg]:shrink-0",
  ],
  {
    variants: {
      variant: {
        primary:
          "border-transparent bg-primary text-primary-foreground hover:bg-primary-hover disabled:hover:bg-primary",
        secondary: "border-input/60 bg-surface text-foreground hover:border-input hover:bg-muted",
        quiet: "border-transparent bg-transparent text-foreground hover:bg-muted",
        danger:
          "border-danger/50 bg-surface text-danger hover:border-danger hover:bg-danger hover:text-danger-foreground",
      },
      size: {
        /** Back office: 36 px, 44 px on touch screens. */
        dense: "h-9 px-3 text-sm pointer-coarse:h-11",
        /** Landing page and single forms: 44 px. */
        regular: "h-11 px-5 text-base",
        /** A square for one icon; the button needs an `aria-label`. */
        icon: "size-9 text-sm pointer-coarse:size-11",
      },
    },
    defaultVariants: { variant: "primary", size: "regular" },
  },
);

export type ButtonProps = ComponentPropsWithoutRef<"button"> & VariantProps<typeof buttonVariants>;

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
