import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

const badgeVariants = cva("badge", {
  variants: {
    variant: {
      neutral: "",
      primary: "bg-primary-surface text-primary",
      info: "bg-info-surface text-info",
      success: "bg-success-surface text-success",
      warning: "bg-warning-surface text-warning",
      danger: "bg-danger-surface text-danger",
    },
  },
  defaultVariants: { variant: "neutral" },
});

export type BadgeProps = ComponentPropsWithoutRef<"span"> & VariantProps<typeof badgeVariants>;

export function Badge({ variant, className, ...props }: BadgeProps) {
  return <span className={cn(badgeVariants({ variant }), className)} {...props} />;
}
