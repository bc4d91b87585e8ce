import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { Label } from "./label";

type DivProps = ComponentPropsWithoutRef<"div">;

export function FieldSet({ className, ...props }: ComponentPropsWithoutRef<"fieldset">) {
  return <fieldset data-slot="field-set" className={cn("flex flex-col gap-4", className)} {...props} />;
}

export function FieldLegend({ className, ...props }: ComponentPropsWithoutRef<"legend">) {
  return (
    <legend data-slot="field-legend" className={cn("mb-1.5 text-sm font-medium", className)} {...props} />
  );
}

export function FieldGroup({ className, ...props }: DivProps) {
  return <div data-slot="field-group" className={cn("flex w-full flex-col gap-4", className)} {...props} />;
}

/** Label, description, control and error of one question. */
export function Field({ className, ...props }: DivProps) {
  return (
    <div
      data-slot="field"
      className={cn("group/field flex min-w-0 flex-col gap-1.5", className)}
      {...props}
    />
  );
}

export function FieldLabel({ className, ...props }: ComponentPropsWithoutRef<typeof Label>) {
  return <Label data-slot="field-label" className={cn("leading-5 text-foreground", className)} {...props} />;
}

export function FieldDescription({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p data-slot="field-description" className={cn("text-xs text-muted-foreground", className)} {...props} />
  );
}

/** One sentence: what is wrong and what to do. The control is described by its `id`. */
export function FieldError({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p
      data-slot="field-error"
      className={cn("flex items-start gap-1.5 text-xs font-medium text-destructive", className)}
      {...props}
    />
  );
}
