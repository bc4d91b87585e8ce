import { cva, type VariantProps } from "class-variance-authority";
import { forwardRef, type ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

const alertVariants = cva(
  [
    "grid w-full grid-cols-[minmax(0,1fr)] items-start rounded-md border px-3.5 py-2.5 text-sm text-foreground",
    "has-[>svg]:grid-cols-[auto_minmax(0,1fr)] has-[>svg]:gap-x-2.5 [&>svg]:mt-0.5 [&>svg]:size-4",
  ],
  {
    variants: {
      variant: {
        default: "bg-muted [&>svg]:text-muted-foreground",
        destructive: "border-destructive/40 bg-destructive-surface [&>svg]:text-destructive",
        info: "border-info/40 bg-info-surface [&>svg]:text-info",
        success: "border-success/40 bg-success-surface [&>svg]:text-success",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

type AlertProps = ComponentPropsWithoutRef<"div"> & VariantProps<typeof alertVariants>;

/** Icon, then AlertTitle and AlertDescription. `role="status"` is for what need not be announced at once. */
export const Alert = forwardRef<HTMLDivElement, AlertProps>(function Alert(
  { className, variant, ...props },
  ref,
) {
  return (
    <div
      ref={ref}
      data-slot="alert"
      role="alert"
      className={cn(alertVariants({ variant }), className)}
      {...props}
    />
  );
});

export function AlertTitle({ className, ...props }: ComponentPropsWithoutRef<"p">) {
  return (
    <p
      data-slot="alert-title"
      className={cn("font-medium wrap-anywhere [svg~&]:col-start-2", className)}
      {...props}
    />
  );
}

export function AlertDescription({ className, ...props }: ComponentPropsWithoutRef<"div">) {
  return (
    <div
      data-slot="alert-description"
      className={cn("min-w-0 break-words [svg~&]:col-start-2", className)}
      {...props}
    />
  );
}
