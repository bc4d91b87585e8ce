import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentPropsWithoutRef } from "react";
import { cn } from "~/lib/utils";

const indicatorVariants = cva("", {
  variants: {
    variant: {
      default: "fill-primary",
      info: "fill-info",
      success: "fill-success",
      caution: "fill-caution",
      destructive: "fill-destructive",
    },
  },
  defaultVariants: { variant: "default" },
});

type ProgressProps = Omit<ComponentPropsWithoutRef<"svg">, "role" | "children"> &
  VariantProps<typeof indicatorVariants> & {
    /** progressbar: how far a task has come. meter: how much of something is used. */
    role?: "progressbar" | "meter";
    value: number;
    /** The maximum; 0 while it is unknown. */
    max?: number;
  };

/**
 * A bar. Its user gives it an `aria-label` and shows the number beside it: a colour alone conveys nothing. Drawn as
 * SVG, because a width in a style attribute would violate the content security policy.
 */
export function Progress({
  className,
  variant,
  role = "progressbar",
  value,
  max = 100,
  ...props
}: ProgressProps) {
  const percent = max > 0 ? Math.min(100, (100 * value) / max) : 0;
  return (
    <svg
      data-slot="progress"
      role={role}
      {...props}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      viewBox="0 0 100 2"
      preserveAspectRatio="none"
      className={cn("h-1.5 w-full rounded-full", className)}
    >
      <rect width="100" height="2" className="fill-muted" />
      <rect
        data-slot="progress-indicator"
        width={percent}
        height="2"
        className={indicatorVariants({ variant })}
      />
    </svg>
  );
}
