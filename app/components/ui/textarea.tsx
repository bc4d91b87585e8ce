import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { controlVariants, type ControlVariants } from "./input";

type TextareaProps = ComponentPropsWithoutRef<"textarea"> & ControlVariants;

/** Grows with its text where the browser supports `field-sizing`, and can be resized everywhere. */
export const Textarea = forwardRef<HTMLTextAreaElement, TextareaProps>(function Textarea(
  { className, size, rows = 5, ...props },
  ref,
) {
  return (
    <textarea
      ref={ref}
      rows={rows}
      data-slot="textarea"
      className={cn(
        controlVariants({ size }),
        "field-sizing-content h-auto max-h-96 min-h-28 resize-y py-2.5 pointer-coarse:h-auto",
        className,
      )}
      {...props}
    />
  );
});
