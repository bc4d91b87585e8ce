import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

export interface ControlSize {
  size?: "dense" | "regular";
}

/** Shared by input, textarea and select, so that controls in a row have the same height. */
export const controlVariants = ({ size = "regular" }: ControlSize) => cn("control", `control-${size}`);

export type InputProps = Omit<ComponentPropsWithoutRef<"input">, "size"> & ControlSize;

export const Input = forwardRef<HTMLInputElement, InputProps>(function Input(
  { size, className, ...props },
  ref,
) {
  return <input ref={ref} className={cn(controlVariants({ size }), className)} {...props} />;
});
