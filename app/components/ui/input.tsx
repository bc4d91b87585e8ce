import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

/** Shared by input, textarea and native-select, so that controls in a row have the same height. */
export const controlVariants = cva(
  [
    "w-full min-w-0 rounded-md border border-input bg-card text-foreground transition-colors",
    "placeholder:text-muted-foreground hover:border-foreground/60",
    "focus-visible:border-ring focus-visible:outline-offset-0",
    "aria-invalid:border-destructive aria-invalid:outline-destructive",
    // For CSS every select and every choice of a file is read-only.
    "disabled:cursor-not-allowed disabled:bg-muted disabled:opacity-60 read-only:[&:not(select,[type=file])]:bg-muted",
  ],
  {
    variants: {
      size: {
        // 16 px on touch screens: below that iOS zooms into the field.
        default: "h-9 px-3 text-sm pointer-coarse:h-11 pointer-coarse:text-base",
        lg: "h-11 px-3.5 text-base",
      },
    },
    defaultVariants: { size: "default" },
  },
);

export type ControlVariants = VariantProps<typeof controlVariants>;
export type InputProps = Omit<ComponentPropsWithoutRef<"input">, "size"> & ControlVariants;

export const Input = forwardRef<HTMLInputElement, InputProps>(function Input(
  { className, size, ...props },
  ref,
) {
  return (
    <input ref={ref} data-slot="input" className={cn(controlVariants({ size, className }))} {...props} />
  );
});
