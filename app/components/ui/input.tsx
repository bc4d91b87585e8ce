import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

/** Shared by input, textarea and select, so that controls in a row have the same height. */
export const controlVariants = cva("control", {
  variants: { size: { dense: "control-dense", regular: "control-regular" } },
  defaultVariants: { size: "regular" },
});

export type ControlSize = VariantProps<typeof controlVariants>;
export type InputProps = Omit<ComponentPropsWithoutRef<"input">, "size"> & ControlSize;

export const Input = forwardRef<HTMLInputElement, InputProps>(function Input(
  { size, className, ...props },
  ref,
) {
  return <input ref={ref} className={cn(controlVariants({ size }), className)} {...props} />;
});
