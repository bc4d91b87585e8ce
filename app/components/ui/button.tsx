import { Slot } from "@radix-ui/react-slot";
import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

export const buttonVariants = cva(
  [
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none",
    "transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:opacity-60",
    "aria-invalid:border-destructive [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
    "print:hidden",
  ],
  {
    variants: {
      variant: {
        default:
          "border-transparent bg-primary text-primary-foreground hover:bg-primary-hover disabled:hover:bg-primary",
        destructive:
          "border-destructive/50 bg-card text-destructive hover:border-destructive hover:bg-destructive hover:text-destructive-foreground",
        outline: "border-input/60 bg-card text-foreground hover:border-input hover:bg-accent",
        secondary: "border-transparent bg-secondary text-secondary-foreground hover:bg-accent",
        ghost: "border-transparent hover:bg-accent hover:text-accent-foreground",
        /** For the row of a table, where a red box in each one would be all that is seen. */
        "destructive-ghost": "border-transparent text-destructive hover:bg-accent",
        link: "border-transparent text-primary underline-offset-4 hover:underline",
      },
      size: {
        default: "h-9 px-3 text-sm pointer-coarse:h-11",
        /** For toolbars and rows of 36 px. */
        xs: "h-7 gap-1.5 px-2 text-xs pointer-coarse:h-11",
        sm: "h-8 gap-1.5 px-2.5 text-sm pointer-coarse:h-11",
        lg: "h-11 px-5 text-base",
        icon: "size-9 text-sm pointer-coarse:size-11",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

export type ButtonProps = ComponentPropsWithoutRef<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Gives the look to the one child, such as a link, instead of a `<button>`. */
    asChild?: boolean;
  };

export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { className, variant, size, asChild = false, ...props },
  ref,
) {
  const Comp = asChild ? Slot : "button";
  return (
    <Comp
      ref={ref}
      data-slot="button"
      className={cn(buttonVariants({ variant, size, className }))}
      {...props}
    />
  );
});
