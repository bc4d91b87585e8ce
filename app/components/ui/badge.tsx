import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/class-names";

const VARIANTS = {
  neutral: "",
  primary: "bg-primary-surface text-primary",
  info: "bg-info-surface text-info",
  success: "bg-success-surface text-success",
  warning: "bg-warning-surface text-warning",
  caution: "bg-caution text-caution-foreground",
  danger: "bg-danger-surface text-danger",
};

export type BadgeProps = ComponentPropsWithoutRef<"span"> & { variant?: keyof typeof VARIANTS | undefined };

export function Badge({ variant = "neutral", className, ...props }: BadgeProps) {
  return <span className={cn("badge", VARIANTS[variant], className)} {...props} />;
}
