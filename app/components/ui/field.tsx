import { cva, type VariantProps } from "class-variance-authority";
import { CircleAlert } from "lucide-react";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";
import { Label } from "./label";

type DivProps = ComponentPropsWithoutRef<"div">;

export function FieldSet({ className, ...props }: ComponentPropsWithoutRef<"fieldset">) {
  return (
    <fieldset data-slot="field-set" className={cn("flex min-w-0 flex-col gap-4", className)} {...props} />
  );
}

export function FieldLegend({ className, ...props }: ComponentPropsWithoutRef<"legend">) {
  return (
    <legend data-slot="field-legend" className={cn("mb-1.5 text-sm font-medium", className)} {...props} />
  );
}

export function FieldGroup({ className, ...props }: DivProps) {
  return <div data-slot="field-group" className={cn("flex w-full flex-col gap-4", className)} {...props} />;
}

const fieldVariants = cva("group/field flex min-w-0", {
  variants: {
    orientation: {
      vertical: "flex-col gap-1.5",
      horizontal: [
        "flex-row items-center gap-2.5 has-data-[slot=field-content]:items-start",
        "has-data-[slot=field-content]:[&>input]:mt-0.5",
      ],
    },
  },
  defaultVariants: { orientation: "vertical" },
});

/** Label, description, control and error of one question; horizontal for a box or a button before its label. */
export function Field({ className, orientation, ...props }: DivProps & VariantProps<typeof fieldVariants>) {
  return <div data-slot="field" className={cn(fieldVariants({ orientation }), className)} {...props} />;
}

/** Label and description beside a control. */
export function FieldContent({ className, ...props }: DivProps) {
  return (
    <div data-slot="field-content" className={cn("flex min-w-0 flex-1 flex-col", className)} {...props} />
  );
}

/** Around a Field it is a choice with a surface of its own, a larger target than its box or button. */
export function FieldLabel({ className, ...props }: ComponentPropsWithoutRef<typeof Label>) {
  return (
    <Label
      data-slot="field-label"
      className={cn(
        "leading-5 text-foreground has-[>[data-slot=field]]:rounded-md has-[>[data-slot=field]]:border",
        "has-checked:border-primary/40 has-checked:bg-primary-surface has-[>[data-slot=field]]:hover:bg-accent",
        "*:data-[slot=field]:w-full *:data-[slot=field]:px-3 *:data-[slot=field]:py-2.5",
        className,
      )}
      {...props}
    />
  );
}

/** The name of a choice in a FieldLabel. */
export function FieldTitle({ className, ...props }: DivProps) {
  return <div data-slot="field-title" className={cn("text-sm font-medium", className)} {...props} />;
}

export function FieldDescription({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p
      data-slot="field-description"
      className={cn("text-xs font-normal text-muted-foreground", className)}
      {...props}
    />
  );
}

/** One sentence: what is wrong and what to do. The control, or each of a group, is described by its `id`. */
export function FieldError({ className, children, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p
      data-slot="field-error"
      className={cn("flex items-start gap-1.5 text-xs font-medium text-destructive", className)}
      {...props}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {children}
    </p>
  );
}
