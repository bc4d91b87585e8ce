import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

/** Shared by input, textarea and select, so that controls in a row have the same height. */
export const controlVariants = cva(
  [
    "w-full min-w-0 rounded-md border border-input bg-surface text-surface-foreground transition-colors",
    "placeholder:text-muted-foreground hover:border-foreground/60",
    "focus-visible:border-ring focus-visible:outline-offset-0",
    "aria-invalid:border-danger aria-invalid:outline-danger",
    "[&[readonly]]:bg-muted disabled:cursor-not-allowed disabled:bg-muted disabled:opacity-60",
  ],
  {
    variants: {
      size: {
        // 16 px on touch screens: below that iOS zooms into the field.
        dense: "h-9 px-3 text-sm pointer-coarse:h-11 pointer-coarse:text-base",
        regular: "h-11 px-3.5 text-base",
      },
    },
    defaultVariants: { size: "regular" },
  },
);

export type ControlSize = VariantProps<typeof controlVariants>;
export type InputProps = Omit<ComponentPropsWithoutRef<"input">, "size"> & ControlSize;

export const Input = forwardRef<HTMLInputElement, InputProps>(function Input(
  { size, className, ...props },
  ref,
) {
  return <input ref={ref} className={cn(controlVariants({ size }), className)} {...props} />;
});
